import { type Command, InvalidArgumentError } from "commander";
import { runCommand } from "../run-command.ts";

interface DemoOptions {
  readonly cities?: number;
}

/** `dataspace demo`, which is `npm run demo`: real data in, all of it back, compared. Source: decision P5. */
export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("writes countries and cities into new vaults, reads all of it back, compares (npm run demo)")
    .option("--cities <n>", "only the first n cities", readCount)
    .action((options: DemoOptions) =>
      runCommand(async () => {
        const { runDemo } = await import("@dataspace/system/demo/run-demo");
        process.exitCode = await runDemo({ env: process.env, cityLimit: options.cities });
      }),
    );
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 1 on.");
}
