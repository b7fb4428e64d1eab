// The temporary directory of a test run: in memory where there is room, because each test's database is written to it.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import path from "node:path";

const IN_MEMORY = "/dev/shm";
const WANTED_BYTES = 8 * 2 ** 30;
const PREFIX = "dataspace-tests-";
/** As /tmp has it: the embedded PostgreSQL of a run as root is another user, who must reach its data. */
const MODE = 0o1777;

/** Has this process and its children write temporary files to `openTestDirectory()`, unless TMPDIR is set. */
export function useTestDirectory(): void {
  const directory = process.env["TMPDIR"] || openTestDirectory();
  if (directory !== undefined) process.env["TMPDIR"] = directory;
}

/**
 * Makes a temporary directory in memory, and removes those that killed runs left. It is removed when this process exits:
 * the runner stops its PostgreSQL only after the last test's report.
 *
 * Out: its path; undefined where memory or its file system has less than 8 GiB left, and tests use the system's
 * directory. A test database costs a third of the processor time in memory, and fsync stays on.
 */
function openTestDirectory(): string | undefined {
  if (!hasRoom()) return undefined;
  removeLeftBehind();
  const directory = mkdtempSync(path.join(IN_MEMORY, `${PREFIX}${process.pid}-`));
  chmodSync(directory, MODE);
  process.once("exit", () => remove(directory));
  return directory;
}

/** A directory of another user stays: that user's next run removes it. */
function removeLeftBehind(): void {
  const names = readdirSync(IN_MEMORY).filter((entry) => entry.startsWith(PREFIX));
  for (const name of names.filter((one) => !isAlive(Number(one.slice(PREFIX.length).split("-")[0])))) {
    try {
      remove(path.join(IN_MEMORY, name));
    } catch (error) {
      console.log(`note: ${name} in ${IN_MEMORY} stays: ${String(error)}`);
    }
  }
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
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}
