import type { Command } from "commander";
import { runAlone } from "../run-alone.ts";

/** `dataspace registry`: the registry alone. Source: decision P5. */
export function addRegistry(program: Command): void {
  program
    .command("registry")
    .description("one registry, for production: settings from the environment")
    .action(() =>
      runAlone("registry", async (env, abort) => {
        const { startRegistry } = await import("@dataspace/registry/main");
        return await startRegistry(env, abort);
      }),
    );
}
