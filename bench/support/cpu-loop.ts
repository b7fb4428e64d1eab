import type { LoadResult } from "./load-process.ts";
import { percentile } from "./statistics.ts";

/** How many turns are taken between two looks at the clock, and for how long. */
export interface LoopRun {
  readonly batch: number;
  readonly durationMs: number;
}

/**
 * Does something in this process over and over. Latencies are means of a batch.
 *
 * Refuses: an Error when every turn gives the same, since such a loop might measure nothing.
 */
export function runInTurn(act: (turn: number) => boolean, { batch, durationMs }: LoopRun): LoadResult {
  const latenciesMs: number[] = [];
  let held = 0;
  let operations = 0;
  const startMs = performance.now();
  let sinceMs = startMs;
  while (sinceMs < startMs + durationMs) {
    for (let left = batch; left > 0; left -= 1) if (act(operations++)) held += 1;
    const nowMs = performance.now();
    latenciesMs.push((nowMs - sinceMs) / batch);
    sinceMs = nowMs;
  }
  if (held === 0 || held === operations) throw new Error("every turn gave the same");
  return {
    operations,
    elapsedMs: sinceMs - startMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

/**
 * Does something that takes turns of the event loop over and over, one after the other. Latencies are means of a batch.
 *
 * Refuses: an Error when a turn does not hold.
 */
export async function runAsyncInTurn(act: () => Promise<boolean>, { batch, durationMs }: LoopRun): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  let sinceMs = startMs;
  while (sinceMs < startMs + durationMs) {
    for (let left = batch; left > 0; left -= 1) if (!(await act())) throw new Error("a turn does not hold");
    const nowMs = performance.now();
    latenciesMs.push((nowMs - sinceMs) / batch);
    sinceMs = nowMs;
  }
  return {
    operations: latenciesMs.length * batch,
    elapsedMs: sinceMs - startMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}
