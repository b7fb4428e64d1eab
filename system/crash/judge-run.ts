import { join } from "node:path";
import type { DriverLine } from "./driver.ts";
import type { Faults } from "./faults.ts";
import { type JudgedArrivals, judgeArrivals } from "./judge-arrivals.ts";
import { type JudgedHistory, judgeHistory } from "./judge-history.ts";
import { countStalled, type Databases } from "./queues.ts";
import { judgeStored, readHistory, readLines } from "./read-end.ts";
import type { ReceiverLine } from "./receiver-child.ts";
import { SUBSCRIBERS } from "./receiver-process.ts";

/** The logs of a run's driver and receiver. */
export function logFilesIn(directory: string): { readonly written: string; readonly received: string } {
  return { written: join(directory, "written.jsonl"), received: join(directory, "received.jsonl") };
}

/** The counts of a run. */
export type JudgedRun = Omit<JudgedHistory, "history"> & JudgedArrivals;

/** Checks the end of a run against its two logs: nothing waits, nothing is lost, nothing is out of order. */
export async function judgeRun(databases: Databases, directory: string, faults: Faults): Promise<JudgedRun> {
  const files = logFilesIn(directory);
  if ((await countStalled(databases)) > 0) faults.add("lanes are left that will never be due");
  const rows = readHistory(databases.vault);
  const { history, ...written } = await judgeHistory(readLines<DriverLine>(files.written), rows, faults);
  const lines = readLines<ReceiverLine>(files.received);
  const arrivals = await judgeArrivals(lines, { history, subscribers: SUBSCRIBERS }, faults);
  await judgeStored(databases.awareness, written.versions, faults);
  return { ...written, ...arrivals };
}
