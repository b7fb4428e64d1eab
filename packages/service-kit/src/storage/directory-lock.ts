import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { StartupError } from "../startup-error.ts";
import { identifyProcess, type ProcessIdentity, stateOf } from "./process-identity.ts";

const PATIENCE_MS = 700;
/** For a holder that has ended while the system has not released its lock yet. */
const ENDED_PATIENCE_MS = 10_000;
const RETRY_MS = 50;
const SQLITE_BUSY = 5;

interface Holder extends ProcessIdentity {
  readonly startedAt: string;
}

/**
 * Takes the lock of a directory; dispose releases it, and so does the end of the process, however it ends.
 *
 * The lock is SQLite's exclusive lock on a separate file. The system releases it after a kill, and it works between
 * containers that share the directory but not their process numbers. Nothing else in this process may open that file,
 * since closing it would release the lock. The holder's name is in a file beside it.
 *
 * In: an existing directory, and the name of the lock file.
 * Refuses: StartupError 75 naming the directory and the holder's pid, within 1 s, or within 10 s if that process has
 * ended and the system is still removing it; 78 when the lock cannot be written.
 * Source: decisions P4, P6.
 */
export async function lockDirectory(directory: string, name: string): Promise<AsyncDisposable> {
  const holderFile = join(directory, `${name}.holder.json`);
  const startedMs = performance.now();
  for (;;) {
    const lock = tryLock(directory, join(directory, `${name}.sqlite`));
    if (lock !== undefined) {
      writeHolder(holderFile);
      return { [Symbol.asyncDispose]: () => release(lock, holderFile) };
    }
    const holder = readHolder(holderFile);
    const patienceMs = holder !== undefined && stateOf(holder) === "zombie" ? ENDED_PATIENCE_MS : PATIENCE_MS;
    if (performance.now() - startedMs > patienceMs) throw alreadyHeld(directory, holder);
    await sleep(RETRY_MS);
  }
}

function tryLock(directory: string, file: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive");
    chmodSync(file, 0o600);
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw new StartupError(`DS_DATA_DIR: ${directory} cannot be locked (${(error as Error).message}).`);
  }
}

async function release(lock: DatabaseSync, holderFile: string): Promise<void> {
  if (!lock.isOpen) return;
  rmSync(holderFile, { force: true });
  lock.close();
}

function writeHolder(file: string): void {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  const holder: Holder = { pid: process.pid, start: identifyProcess(process.pid)?.start ?? "", startedAt };
  writeFileSync(`${file}.new`, JSON.stringify(holder), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

function alreadyHeld(directory: string, holder: Holder | undefined): StartupError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} (started ${holder.startedAt})`;
  return new StartupError(
    `The data directory ${directory} is already in use by ${who}. Stop it, or set DS_DATA_DIR to another directory.`,
    75,
  );
}
