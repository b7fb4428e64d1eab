import assert from "node:assert/strict";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { MODULES } from "../modules.ts";
import { type Results, runModules } from "../run-modules.ts";
import { startOurConnector } from "../targets/our-connector.ts";
import { startAlteringProxy } from "./altering-proxy.ts";
import type { Mutant } from "./mutant.ts";

/** Runs the modules that have to catch a mutant. Refuses: an AssertionError for a module that does not exist. */
export async function runMutant(database: Database, mutant: Mutant): Promise<Results> {
  const modules = mutant.caughtBy.map((name) => {
    const found = MODULES.find((module) => module.name === name);
    assert.ok(found, `there is no module ${name}`);
    return found;
  });
  await using proxy = await startAlteringProxy();
  await using connector = await startOurConnector(database, { ...mutant.changes, issuer: proxy.url });
  proxy.passTo(connector.url, mutant.alter(connector));
  return await runModules(modules, connector);
}
