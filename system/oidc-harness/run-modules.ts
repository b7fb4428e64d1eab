import { AssertionError } from "node:assert/strict";
import type { HarnessModule, Outcome } from "./harness-module.ts";
import type { Target } from "./target.ts";

/** What each module gave, by its name. */
export type Results = ReadonlyMap<string, Outcome>;

/**
 * Runs modules one after the other. A module that throws an AssertionError has failed, with the first line of its message.
 *
 * Refuses: any other error of a module, which is a fault of the harness and proves nothing about the provider.
 */
export async function runModules(modules: readonly HarnessModule[], target: Target): Promise<Results> {
  const results = new Map<string, Outcome>();
  for (const module of modules) results.set(module.name, await runModule(module, target));
  return results;
}

async function runModule({ name, run }: HarnessModule, target: Target): Promise<Outcome> {
  try {
    return await run(target);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw new Error(`the module ${name} is broken`, { cause: error });
    return { kind: "failed", text: error.message.split("\n")[0] ?? "" };
  }
}
