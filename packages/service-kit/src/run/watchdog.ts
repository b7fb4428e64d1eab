/** A worker that repeatedly looks for work, until it is disposed of. */
export interface WatchedWorker extends AsyncDisposable {
  /** A number that grows with each look. */
  readonly looks: () => number;
}

/** A worker that is restarted when it stops looking. Disposing of it ends the current one. */
export interface Watchdog<Worker> extends AsyncDisposable {
  /** The current worker. */
  readonly worker: () => Worker;
  /** The fault in words for `/readyz`: from the moment when the worker is found silent until the new one has looked. */
  readonly findFault: () => string | undefined;
}

/**
 * The watched worker: its name in messages, how to start it, and after how many seconds without a look to restart it
 * (30).
 */
export interface WatchdogConfig<Worker> {
  readonly what: string;
  readonly start: () => Worker;
  readonly silenceLimitSeconds?: number;
}

const CHECK_EVERY_MS = 1_000;
const SILENCE_LIMIT_SECONDS = 30;

/**
 * Starts a worker and monitors that it looks for work. A worker that has not looked for 30 s is abandoned and another
 * is started. Leases and transactions make late effects of the abandoned one harmless.
 *
 * Only seconds in which this process runs count, so that its own pause does not count against the worker.
 * Refuses: never after the start; the first start's own error. Source: decision E1.
 */
export function startWatchdog<Worker extends WatchedWorker>(
  { log }: { readonly log: { readonly error: (entry: object, message: string) => void } },
  config: WatchdogConfig<Worker>,
): Watchdog<Worker> {
  const { what, start, silenceLimitSeconds = SILENCE_LIMIT_SECONDS } = config;
  let worker = start();
  let seen = worker.looks();
  let silentSeconds = 0;
  let fault: string | undefined;

  function replace(): void {
    fault = `${what} has not looked for work for ${silenceLimitSeconds} s; it was started again.`;
    log.error({ what, silenceLimitSeconds }, "a worker stopped looking for work; it is started again");
    void abandon(worker);
    worker = start();
    seen = worker.looks();
    silentSeconds = 0;
  }

  // Not awaited: what hangs may never end.
  async function abandon(silent: Worker): Promise<void> {
    try {
      await silent[Symbol.asyncDispose]();
    } catch (error) {
      log.error({ err: error }, "an abandoned worker ended with an error");
    }
  }

  function check(): void {
    const looks = worker.looks();
    silentSeconds = looks === seen ? silentSeconds + 1 : 0;
    if (looks !== seen) fault = undefined;
    seen = looks;
    if (silentSeconds >= silenceLimitSeconds) replace();
  }

  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  return {
    worker: () => worker,
    findFault: () => fault,
    [Symbol.asyncDispose]: () => {
      clearInterval(timer);
      return worker[Symbol.asyncDispose]();
    },
  };
}
