import type { Command } from "commander";

/** `dataspace authority`: the certifying authority alone. Source: decision P5. */
export function addAuthority(program: Command): void {
  program
    .command("authority")
    .description("one certifying authority, for production: settings from the environment")
    .action(async () => {
      const [{ runAlone }, { startAuthority }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/authority/main"),
      ]);
      await runAlone("authority", startAuthority);
    });
}
