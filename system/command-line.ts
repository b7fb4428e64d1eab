import { type ParseArgsConfig, parseArgs } from "node:util";
import { StartupError } from "@dataspace/service-kit/startup-error";

/** sysexits: the command line is invalid; an internal error. */
const EXIT_USAGE = 64;
const EXIT_FAULT = 70;

/**
 * Reads the command line of a program. `--help` prints the usage and exits with 0. An unknown option prints the fault
 * and the usage, and exits with 64.
 */
export function readCommandLine<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Only the sentence that names the option; how to escape a dash does not help here.
    return refuseCommandLine(usage, (error as Error).message.split(". ")[0] ?? "");
  }
}

/** Prints the fault of the command line and the usage, and exits with 64. */
export function refuseCommandLine(usage: string, message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(EXIT_USAGE);
}

/** Reads a number from an option. Exits as `refuseCommandLine` for anything but digits. */
export function readCount(usage: string, { name, text }: { readonly name: string; readonly text: string }): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return refuseCommandLine(usage, `--${name} is a whole number, not ${JSON.stringify(text)}.`);
}

/**
 * Runs a program's work. An error becomes one sentence on stderr and an exit code, never a stack trace; `advice` says
 * where to read more.
 */
export async function runToEnd(work: () => Promise<void>, advice: string): Promise<void> {
  const end = (error: unknown): never => {
    const message = error instanceof Error ? error.message.split("\n")[0] : String(error);
    console.error(`This run ends: ${message} ${advice}`);
    process.exit(error instanceof StartupError ? error.exitCode : EXIT_FAULT);
  };
  // A connection that breaks while nothing waits for it rejects beside the work.
  process.once("uncaughtException", end).once("unhandledRejection", end);
  await work().catch(end);
}
