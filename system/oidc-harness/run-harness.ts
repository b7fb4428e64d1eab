import type { Database } from "@dataspace/service-kit/postgres/database";
import { MODULES } from "./modules.ts";
import { type Results, runModules } from "./run-modules.ts";
import { startOurConnector } from "./targets/our-connector.ts";
import { startStockProvider } from "./targets/stock-provider.ts";

/** Runs every module against the connector and against the control. In: a database with the connector's tables. */
export async function runHarness(database: Database): Promise<{ readonly ours: Results; readonly stock: Results }> {
  await using connector = await startOurConnector(database);
  await using control = await startStockProvider();
  const ours = await runModules(MODULES, connector);
  return { ours, stock: await runModules(MODULES, control) };
}
