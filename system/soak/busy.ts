import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

const MEASURE_MS = 2_000;

/** Measures for 2 s how busy all processors are together, in percent. Refuses: never. */
export async function measureBusyPercent(): Promise<number> {
  const before = readTimes();
  await wait(MEASURE_MS);
  const after = readTimes();
  return Math.round(100 * (1 - (after.idleMs - before.idleMs) / Math.max(1, after.totalMs - before.totalMs)));
}

function readTimes(): { readonly idleMs: number; readonly totalMs: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (read: (time: (typeof times)[number]) => number): number =>
    times.reduce((total, time) => total + read(time), 0);
  return { idleMs: sum(({ idle }) => idle), totalMs: sum((time) => Object.values(time).reduce((a, b) => a + b, 0)) };
}
