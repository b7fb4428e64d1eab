import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartupError } from "../startup-error.ts";

const POLL_MS = 20;

/** Stronger and stronger, each with the time it is given: fast shutdown, immediate shutdown, death. */
const MEANS = [
  { signal: "SIGINT", patienceMs: 10_000, everyProcess: false },
  { signal: "SIGQUIT", patienceMs: 5_000, everyProcess: false },
  { signal: "SIGKILL", patienceMs: 3_000, everyProcess: true },
] as const;

/**
 * Ends what an earlier owner of a database left running, so that the next server finds it free. The caller holds the
 * directory's lock: no live owner can exist.
 *
 * Refuses: StartupError (75) naming the pids that would not end. Source: decision P4.
 */
export async function stopOrphans(cluster: string, report: (line: string) => void): Promise<void> {
  if (findServerProcesses(cluster).length > 0) {
    report("Waiting for the database server of an earlier process to stop.");
    await endServerProcesses(cluster, "SIGINT");
  }
  removeStalePidFile(cluster);
}

/**
 * Ends every process of the server on these files, beginning with the given signal.
 *
 * Refuses: StartupError (75) naming the pids that would not end.
 */
export async function endServerProcesses(cluster: string, from: (typeof MEANS)[number]["signal"]): Promise<void> {
  for (const means of MEANS.slice(MEANS.findIndex(({ signal }) => signal === from))) {
    const postmaster = readPostmasterPid(cluster);
    const pids = findServerProcesses(cluster);
    for (const pid of pids) {
      if (means.everyProcess || pid === postmaster || !pids.includes(postmaster ?? 0)) sendSignal(pid, means.signal);
    }
    const deadline = performance.now() + means.patienceMs;
    while (performance.now() < deadline) {
      if (findServerProcesses(cluster).length === 0) return;
      await sleep(POLL_MS);
    }
  }
  const pids = findServerProcesses(cluster).join(", ");
  throw new StartupError(`The database in ${cluster} is still in use by process ${pids}, which cannot be stopped.`, 75);
}

/** The first line of the file that a running server keeps; undefined when there is none. */
export function readPostmasterPid(cluster: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, "postmaster.pid"), "utf8"), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Every process of a server works in the directory of its files; nothing else does. */
function findServerProcesses(cluster: string): number[] {
  if (process.platform !== "linux") {
    const pid = readPostmasterPid(cluster);
    return pid !== undefined && commandOf(pid).includes(cluster) ? [pid] : [];
  }
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => workingDirectoryOf(pid) === cluster).map(Number);
}

function workingDirectoryOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // gone, a zombie, or another user's
  }
}

function commandOf(pid: number): string {
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
}

/**
 * PostgreSQL refuses to start while the process that its old pid file names is alive, whatever that process is today.
 * After a kill in a container the same small number soon belongs to somebody else. We know better: we hold the lock and
 * have just seen that no process works on these files.
 */
function removeStalePidFile(cluster: string): void {
  const pid = readPostmasterPid(cluster);
  if (pid !== undefined && sendSignal(pid, 0)) rmSync(join(cluster, "postmaster.pid"), { force: true });
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
