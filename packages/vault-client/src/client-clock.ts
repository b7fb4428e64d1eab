/** Time as this package uses it. */
export interface ClientClock {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Runs `then` once after `delayMs`, unless the returned function is called first. */
  readonly startTimer: (delayMs: number, then: () => void) => () => void;
}

/** The platform's own clock. */
export const platformClock: ClientClock = {
  nowMs: () => Date.now(),
  startTimer: (delayMs, then) => {
    const timer = setTimeout(then, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Waits. Refuses: the reason of `signal` as soon as it is aborted. */
export function sleep(clock: ClientClock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, stop } = startSleep(clock, delayMs);
  return untilAborted(promise, signal).finally(stop);
}

/** Waits for a promise. Refuses: what the promise refuses, or the reason of `signal` as soon as it is aborted. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    // A signal may outlive many calls, so each takes its listener away.
    stop = () => signal.removeEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}

function startSleep(clock: ClientClock, delayMs: number) {
  let stop: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    stop = clock.startTimer(delayMs, resolve);
  });
  return { promise, stop };
}
