/** The pauses between failed attempts: doubling from the first to the longest, in milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Computes the pause after a number of failed attempts: a random value between half and all of its length, so that
 * retries spread out.
 *
 * In: `failures` from 1; `random` gives 0 to below 1. Refuses: never. Source: decision E1.
 */
export function backOffMs({ firstMs, longestMs }: BackOff, failures: number, random: () => number): number {
  const longMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 40), longestMs);
  return Math.round(longMs * (0.5 + random() / 2));
}
