import { StartupError } from "../startup-error.ts";

const STOP_LIMIT_MS = 25_000;
const EXIT_STOPPED = 0;
const EXIT_STOPPED_AT_ONCE = 1;
const EXIT_FAULT = 70;

/** How a process reports the fault that ends it. */
export interface RunConfig {
  /** Writes a fault to the log, once, before the process ends. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs a process from start to exit: starts it, waits for SIGINT or SIGTERM, stops it, exits.
 *
 * In: `start` returns the running service (dispose stops it) and gives up when `abort` fires. The process exits with 0
 * after a stop, and with 1 at a second signal or when stopping takes more than 25 s. It exits with a StartupError's own
 * code (its message alone on stderr), and with 70 after any other fault: nothing continues after an uncaught fault.
 * Source: decisions P5, P6; sysexits (70 = EX_SOFTWARE).
 */
export async function runService(
  start: (abort: AbortSignal) => Promise<AsyncDisposable>,
  config: RunConfig,
): Promise<never> {
  const abort = new AbortController();
  const stopAsked = Promise.withResolvers<void>();
  const onSignal = () => {
    if (abort.signal.aborted) process.exit(EXIT_STOPPED_AT_ONCE);
    abort.abort();
    stopAsked.resolve();
    setTimeout(() => {
      process.stderr.write(`Stopping took more than ${STOP_LIMIT_MS / 1000} s; the process ends now.\n`);
      process.exit(EXIT_STOPPED_AT_ONCE);
    }, STOP_LIMIT_MS);
  };
  const onFault = (error: unknown) => exitAfterFault(error, config);
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);
  // A pending promise does not keep a process alive: without this it would end silently while it waits for a signal.
  setInterval(() => undefined, 2 ** 30);
  try {
    await using running = await start(abort.signal);
    await stopAsked.promise;
    void running;
  } catch (error) {
    if (!abort.signal.aborted || !isAbortError(error)) return exitAfterFault(error, config);
  }
  process.exit(EXIT_STOPPED);
}

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function exitAfterFault(error: unknown, config: RunConfig): never {
  if (error instanceof StartupError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
  try {
    config.onError(error);
  } finally {
    process.exit(EXIT_FAULT);
  }
}
