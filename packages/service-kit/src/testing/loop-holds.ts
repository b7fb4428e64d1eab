/** The longest time for which the event loop was blocked during a measurement. */
export interface LoopHolds {
  /** Ends the measurement. Out: milliseconds of this thread's CPU time. */
  readonly end: () => number;
}

const LOOK_EVERY_MS = 1;

/**
 * Starts to measure how long the event loop is blocked at a time. It counts CPU time, so that other processes on the
 * machine do not matter.
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
