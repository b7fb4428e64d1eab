import { StartupError } from "@dataspace/service-kit/startup-error";

const EXIT_FAULT = 70;

/**
 * Runs a command that comes to an end by itself.
 *
 * Refuses: a StartupError is told on stderr by its message alone and sets its exit code; any other error is told as it
 * is, with 70. Source: decision P6; sysexits.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isTold = error instanceof StartupError;
    console.error(isTold ? error.message : error);
    process.exitCode = isTold ? error.exitCode : EXIT_FAULT;
  }
}
