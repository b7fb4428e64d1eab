import type { Command } from "commander";

/** `dataspace vault`: the standalone vault. Source: decision P5. */
export function addVault(program: Command): void {
  program
    .command("vault")
    .description("one vault server, for production: settings from the environment")
    .action(async () => {
      const [{ runAlone }, { startVault }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/vault/main"),
      ]);
      await runAlone("vault", startVault);
    });
}
