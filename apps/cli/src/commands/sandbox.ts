import type { Command } from "commander";

/** `dataspace sandbox`: the standalone sandbox. Source: decision P5; S3 "Sandbox". */
export function addSandbox(program: Command): void {
  program
    .command("sandbox")
    .description("one sandbox, a wallet in the browser for testing: settings from the environment")
    .action(async () => {
      const [{ runAlone }, { startSandbox }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/sandbox/main"),
      ]);
      await runAlone("sandbox", startSandbox);
    });
}
