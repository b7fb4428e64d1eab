/** The longest time for which the event loop was held, from the start of the measurement to its end. */
export interface LoopHolds {
  /** Ends the measurement. Out: milliseconds of this thread's CPU time. */
  readonly end: () => number;
}

const LOOK_EVERY_MS = 1;

/**
 * Begins to measure how long the event loop is held at a time. CPU time is counted, not time on the clock, so that other processes
 * on the machine do not count.
 *
 * Refuses: never. Source: decision V25.
 */
export function measureLoopHolds(): LoopHolds {
  let longestMicros = 0;
  let last = usedMicros();
  const look = (): void => {
    const now = usedMicros();
    longestMicros = Math.max(longestMicros, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return longestMicros / 1000;
    },
  };
}

function usedMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
