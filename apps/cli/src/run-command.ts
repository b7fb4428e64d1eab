import { inspect } from "node:util";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { printable } from "./printable.ts";

const EXIT_FAULT = 70;

/**
 * Runs a command that ends by itself.
 *
 * Refuses: prints a StartupError's message alone on stderr and sets its exit code; prints any other error with its stack and
 * sets 70. Control characters are replaced, since a message may repeat another party's text. Source: decision P6; sysexits.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isStartupError = error instanceof StartupError;
    console.error(printable(isStartupError ? error.message : inspect(error)));
    process.exitCode = isStartupError ? error.exitCode : EXIT_FAULT;
  }
}
