import { StartupError } from "@dataspace/service-kit/startup-error";

const EXIT_FAULT = 70;

/**
 * Runs a command that ends by itself.
 *
 * Refuses: prints a StartupError's message alone on stderr and sets its exit code; prints any other error unchanged and
 * sets 70. Source: decision P6; sysexits.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isStartupError = error instanceof StartupError;
    console.error(isStartupError ? error.message : error);
    process.exitCode = isStartupError ? error.exitCode : EXIT_FAULT;
  }
}
