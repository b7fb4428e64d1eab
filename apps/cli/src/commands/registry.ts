import type { Command } from "commander";

/** `dataspace registry`: the standalone registry. Source: decision P5. */
export function addRegistry(program: Command): void {
  program
    .command("registry")
    .description("one registry server, for production: settings from the environment")
    .action(async () => {
      const [{ runAlone }, { startRegistry }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/registry/main"),
      ]);
      await runAlone("registry", startRegistry);
    });
}
