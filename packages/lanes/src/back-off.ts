/** How long after a failed attempt the next one comes: twice as long each time, from the first to the longest, in milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Gives the pause after so many failed attempts, between half and all of its length, so that many do not come back together.
 *
 * In: `failures` from 1; `random` gives 0 to below 1. Refuses: never. Source: decision E1.
 */
export function backOffMs({ firstMs, longestMs }: BackOff, failures: number, random: () => number): number {
  const longMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 40), longestMs);
  return Math.round(longMs * (0.5 + random() / 2));
}
