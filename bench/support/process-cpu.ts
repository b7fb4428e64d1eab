import { readdirSync, readFileSync } from "node:fs";

const TICK_US = 10_000;

/** CPU time a process has used so far, user and system, in microseconds. The kernel counts others in steps of 10 ms. */
export function processCpuUs(pid: number): number {
  if (pid === process.pid) {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  return (readStat(pid)?.ownTicks ?? 0) * TICK_US;
}

/** CPU time of a process, its present children and the children it has outlived, in microseconds. */
export function familyCpuUs(pid: number): number {
  const parent = readStat(pid);
  if (parent === undefined) return 0;
  let ticks = parent.ownTicks + parent.reapedTicks;
  for (const entry of readdirSync("/proc")) {
    const stat = /^\d+$/.test(entry) ? readStat(Number(entry)) : undefined;
    if (stat?.parent === pid) ticks += stat.ownTicks + stat.reapedTicks;
  }
  return ticks * TICK_US;
}

/** CPU time of the children that this process has outlived, in microseconds. */
export function reapedCpuUs(): number {
  return (readStat(process.pid)?.reapedTicks ?? 0) * TICK_US;
}

/** Resident memory of a process in bytes: now, and its peak. */
export function residentBytes(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: bytesOf("VmRSS"), peak: bytesOf("VmHWM") };
}

/** The parent of a process, or undefined when there is no such process here. */
export function parentOf(pid: number): number | undefined {
  return readStat(pid)?.parent;
}

interface Stat {
  readonly parent: number;
  readonly ownTicks: number;
  readonly reapedTicks: number;
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold anything.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index] as number;
    return { parent: at(1), ownTicks: at(11) + at(12), reapedTicks: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
