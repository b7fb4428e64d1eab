import type { Command } from "commander";
import { runAlone } from "../run-alone.ts";

/** `dataspace vault`: the vault alone. Source: decision P5. */
export function addVault(program: Command): void {
  program
    .command("vault")
    .description("one vault server, for production: settings from the environment")
    .action(() =>
      runAlone("vault", async (env, abort) => {
        const { startVault } = await import("@dataspace/vault/main");
        return await startVault(env, abort);
      }),
    );
}
