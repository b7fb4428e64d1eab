import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { StartupError } from "../startup-error.ts";
import { socketDirectoryOf, socketFileOf } from "./postgres-address.ts";
import { identifyProcess, type ProcessIdentity, stateOf } from "./process-identity.ts";

/** Beside the cluster: the identity of the server's process. PostgreSQL's own files have only the pid. */
const RECORD = "postgres-process.json";
const CONNECT_LIMIT_MS = 1_000;

/**
 * Removes the lock files that an earlier server left: the cluster's `postmaster.pid`, and the socket with its lock.
 *
 * PostgreSQL refuses to start while a process with the pid in such a file exists, even if that process is a zombie or
 * an unrelated program. The caller holds the directory's lock and has found no process that works on these files.
 *
 * Refuses: StartupError (75) when the holder does run: its start is the recorded one, or a server answers at the
 * socket.
 * Source: decision P4.
 */
export async function removeStaleLockFiles(cluster: string): Promise<void> {
  const recorded = readRecord(cluster);
  const socket = socketFileOf(socketDirectoryOf(dirname(cluster)));
  for (const file of [join(cluster, "postmaster.pid"), `${socket}.lock`]) {
    const pid = readLockPid(file);
    if (pid !== undefined && recorded?.pid === pid && stateOf(recorded) === "running") throw stillInUse(cluster, pid);
  }
  // The pid of a server in another container has no meaning here, but the server answers.
  if (await isAnswering(socket)) throw stillInUse(cluster, readLockPid(`${socket}.lock`));
  for (const file of [join(cluster, "postmaster.pid"), `${socket}.lock`, socket]) rmSync(file, { force: true });
}

/** Records which process is the server, so that a later start recognises it. Refuses: never by itself. */
export function recordServerProcess(cluster: string, pid: number): void {
  const file = recordOf(cluster);
  writeFileSync(`${file}.new`, JSON.stringify(identifyProcess(pid) ?? {}), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The first line of a lock file; undefined when there is none. Refuses: never. Source: PostgreSQL, miscinit.c. */
export function readLockPid(file: string): number | undefined {
  try {
    // A server in single-user mode writes its pid with a minus sign.
    return Math.abs(Number.parseInt(readFileSync(file, "latin1"), 10)) || undefined;
  } catch {
    return undefined;
  }
}

function recordOf(cluster: string): string {
  return join(dirname(cluster), RECORD);
}

function readRecord(cluster: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(recordOf(cluster), "utf8")) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

function isAnswering(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect({ path: socket, timeout: CONNECT_LIMIT_MS });
    const settle = (answer: boolean) => {
      connection.destroy();
      resolve(answer);
    };
    // A full socket queue also proves a running server.
    connection.once("error", (error: NodeJS.ErrnoException) => settle(error.code === "EAGAIN"));
    connection.once("connect", () => settle(true)).once("timeout", () => settle(true));
  });
}

function stillInUse(cluster: string, pid: number | undefined): StartupError {
  const who = pid === undefined ? "another server" : `process ${pid}`;
  return new StartupError(`The database in ${cluster} is still in use by ${who}. Stop it and start again.`, 75);
}
