/** Something that looks for work again and again, until it is disposed of. */
export interface WatchedWorker extends AsyncDisposable {
  /** A number that grows each time it has looked. */
  readonly looks: () => number;
}

/** A worker that is started again when it stops looking. Disposing of it ends the present one. */
export interface Watchdog<Worker> extends AsyncDisposable {
  /** The present worker. */
  readonly worker: () => Worker;
  /** What is wrong, in words for `/readyz`: from when the worker was found silent until the new one has looked. */
  readonly findFault: () => string | undefined;
}

/** What is watched: its name in messages, how it is started, and after how many seconds without a look it is started again (30). */
export interface WatchdogConfig<Worker> {
  readonly what: string;
  readonly start: () => Worker;
  readonly silenceLimitSeconds?: number;
}

const CHECK_EVERY_MS = 1_000;
const SILENCE_LIMIT_SECONDS = 30;

/**
 * Starts a worker and watches that it looks for work. One that has not looked for 30 s is abandoned, and another is started; leases
 * and transactions keep what the abandoned one may still do in order.
 *
 * Seconds count while this process runs, so that its own pause is not held against the worker.
 * Refuses: never; what the start throws, at first. Source: decision E1.
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
