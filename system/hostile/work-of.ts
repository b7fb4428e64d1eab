const TIMES = 5;

/**
 * Measures how long work takes: the minimum of five runs, since the rest is other work of the machine.
 *
 * Out: milliseconds. Refuses: as `work`.
 */
export async function workOf(work: () => Promise<unknown>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TIMES; time++) {
    const startedMs = performance.now();
    await work();
    leastMs = Math.min(leastMs, performance.now() - startedMs);
  }
  return leastMs;
}
