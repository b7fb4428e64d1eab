import { type Command, InvalidArgumentError } from "commander";
import { runCommand } from "../run-command.ts";

interface DemoOptions {
  readonly cities?: number;
}

/**
 * `dataspace demo`, which is `npm run demo`: writes real data, reads all of it back and compares. Source: decision P5.
 */
export function addDemo(program: Command): void {
  const command = program
    .command("demo")
    .description("writes countries and cities into new vaults, reads all of it back, compares (npm run demo)")
    .option("--cities <n>", "only the first n cities", readCount)
    .action((options: DemoOptions) => runCommand(() => demo(options)));
  command
    .command("platform")
    .description("shows how a platform is certified, proves itself to a vault, and loses access")
    .action(() => runCommand(demoPlatform));
  command
    .command("platforms")
    .description("runs two example platforms and shows an edit in one appear in the other, with timings")
    .option("--stay", "keeps both running until Ctrl-C")
    .action(({ stay = false }: { readonly stay?: boolean }) => runCommand(() => demoPlatforms(stay)));
}

async function demoPlatforms(stays: boolean): Promise<void> {
  const { runPlatformsDemo } = await import("@dataspace/system/demo/run-platforms-demo");
  const print = (line: string) => console.log(line);
  process.exitCode = await runPlatformsDemo({ env: process.env, abort: endOnSignal(), print, stays });
}

async function demoPlatform(): Promise<void> {
  const { runPlatformDemo } = await import("@dataspace/system/demo/run-platform-demo");
  const print = (line: string) => console.log(line);
  process.exitCode = await runPlatformDemo({ env: process.env, abort: endOnSignal(), print });
}

async function demo(options: DemoOptions): Promise<void> {
  const abort = endOnSignal();
  const { runDemo } = await import("@dataspace/system/demo/run-demo");
  process.exitCode = await runDemo({
    env: process.env,
    cityLimit: options.cities,
    abort,
    print: (text) => console.log(text),
    progressTo: process.stderr,
  });
}

function endOnSignal(): AbortSignal {
  const abort = new AbortController();
  // The second Ctrl-C has the system's default effect: it ends the process at once.
  process.once("SIGINT", () => abort.abort()).once("SIGTERM", () => abort.abort());
  return abort.signal;
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 1 on.");
}
