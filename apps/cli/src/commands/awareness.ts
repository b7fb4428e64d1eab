import type { Command } from "commander";

/** `dataspace awareness`: the standalone awareness service. Source: decision P5. */
export function addAwareness(program: Command): void {
  program
    .command("awareness")
    .description("one awareness server, for production: settings from the environment")
    .action(async () => {
      const [{ runAlone }, { startAwareness }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/awareness/main"),
      ]);
      await runAlone("awareness", startAwareness);
    });
}
