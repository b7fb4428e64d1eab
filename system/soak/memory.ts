import { readFileSync } from "node:fs";

/** The memory of a process at one time. */
export interface MemorySample {
  readonly atMs: number;
  readonly bytes: number;
}

/** Reads the proportional set size of a process; undefined where the system does not say. Refuses: never. */
export function readMemoryBytes(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    const kilobytes = /^Pss: +(\d+) kB$/m.exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

const MS_PER_HOUR = 3_600_000;

/**
 * Computes how fast memory grows: the slope of the least-squares line through the samples, as percent of their mean in
 * an hour; 0 for fewer than two. Refuses: never.
 */
export function slopePercentAnHour(samples: readonly MemorySample[]): number {
  if (samples.length < 2) return 0;
  const mean = (read: (sample: MemorySample) => number): number =>
    samples.reduce((sum, sample) => sum + read(sample), 0) / samples.length;
  const atMs = mean((sample) => sample.atMs);
  const bytes = mean((sample) => sample.bytes);
  const together = mean((sample) => (sample.atMs - atMs) * (sample.bytes - bytes));
  const spread = mean((sample) => (sample.atMs - atMs) ** 2);
  return spread === 0 ? 0 : ((together / spread) * MS_PER_HOUR * 100) / bytes;
}
