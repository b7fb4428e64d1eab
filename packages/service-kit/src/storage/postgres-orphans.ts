import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartupError } from "../startup-error.ts";
import { readLockPid, removeStaleLockFiles } from "./postgres-lock-files.ts";

const POLL_MS = 20;

/** Signals in increasing strength, each with its time limit: fast shutdown, immediate shutdown, kill. */
const MEANS = [
  { signal: "SIGINT", patienceMs: 10_000, everyProcess: false },
  { signal: "SIGQUIT", patienceMs: 5_000, everyProcess: false },
  { signal: "SIGKILL", patienceMs: 3_000, everyProcess: true },
] as const;

/**
 * Ends the processes that an earlier owner of a database left running, so that the next server can start. The caller
 * holds the directory's lock, so no live owner exists.
 *
 * Refuses: StartupError (75) naming the pids that did not end, and as `removeStaleLockFiles`. Source: decision P4.
 */
export async function stopOrphans(cluster: string, report: (line: string) => void): Promise<void> {
  if (findServerProcesses(cluster).length > 0) {
    report("Waiting for the database server of an earlier process to stop.");
    await endServerProcesses(cluster, "SIGINT");
  }
  await removeStaleLockFiles(cluster);
}

/**
 * Ends every process of the server on these files, beginning with the given signal.
 *
 * Refuses: StartupError (75) naming the pids that did not end.
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

/** The pid of the main process in the cluster's `postmaster.pid`; undefined when there is none. Refuses: never. */
export function readPostmasterPid(cluster: string): number | undefined {
  return readLockPid(join(cluster, "postmaster.pid"));
}

/** Every process of a server works in the directory of its files; no other process does. */
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

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
