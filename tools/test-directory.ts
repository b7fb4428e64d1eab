// The temporary directory of a test run: in memory where there is room, because each test's database is written to it.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import path from "node:path";

const IN_MEMORY = "/dev/shm";
const WANTED_BYTES = 8 * 2 ** 30;
const PREFIX = "dataspace-tests-";
/** As /tmp has it: the embedded PostgreSQL of a run as root is another user, who must reach its data. */
const MODE = 0o1777;

/**
 * Makes a temporary directory in memory, and removes those that killed runs left. It is removed when this process exits:
 * the runner stops its PostgreSQL only after the last test's report.
 *
 * Out: its path; undefined where memory or its file system has less than 8 GiB left, and tests use the system's
 * directory. A test database costs a third of the processor time in memory, and fsync stays on.
 */
export function openTestDirectory(): string | undefined {
  if (!hasRoom()) return undefined;
  for (const name of readdirSync(IN_MEMORY).filter((entry) => entry.startsWith(PREFIX)))
    if (!isAlive(Number(name.slice(PREFIX.length).split("-")[0]))) remove(path.join(IN_MEMORY, name));
  const directory = mkdtempSync(path.join(IN_MEMORY, `${PREFIX}${process.pid}-`));
  chmodSync(directory, MODE);
  process.once("exit", () => remove(directory));
  return directory;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, freemem()) >= WANTED_BYTES;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}
