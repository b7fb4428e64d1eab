import type { ClientClock } from "../client-clock.ts";

/** A clock whose time stands still. Timers that `firesAtOnce` names fire in the next turn; the others wait for `expire`. */
export interface TestClock extends ClientClock {
  /** How long each timer was asked to wait, in order. */
  readonly delays: readonly number[];
  /** Fires every timer that waits for exactly so long. */
  readonly expire: (delayMs: number) => void;
  readonly advance: (byMs: number) => void;
}

interface Timer {
  readonly delayMs: number;
  readonly then: () => void;
}

/** Makes a clock for tests. The limits of a request (5,000 ms) and of a health check (2,000 ms) never pass by themselves. */
export function createTestClock(
  firesAtOnce: (delayMs: number) => boolean = (delayMs) => delayMs !== 5_000 && delayMs !== 2_000,
): TestClock {
  let nowMs = Date.UTC(2026, 0, 1);
  const timers = new Set<Timer>();
  const delays: number[] = [];
  return {
    delays,
    nowMs: () => nowMs,
    advance: (byMs) => {
      nowMs += byMs;
    },
    startTimer: (delayMs, then) => {
      delays.push(delayMs);
      const timer = { delayMs, then };
      timers.add(timer);
      if (firesAtOnce(delayMs)) setImmediate(() => timers.delete(timer) && then());
      return () => timers.delete(timer);
    },
    expire: (delayMs) => {
      for (const timer of timers) if (timer.delayMs === delayMs && timers.delete(timer)) timer.then();
    },
  };
}
