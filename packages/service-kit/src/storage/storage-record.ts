import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RECORD = "storage-address";

/**
 * Records in a data directory the address of its running server, for commands that work beside a running service. The
 * address may contain a password: only the owner can read the file (0600), and dispose removes it.
 *
 * In: a directory whose lock the caller holds. Refuses: never by itself. Source: decisions P4, P5.
 */
export function recordStorage(directory: string, url: string): Disposable {
  const file = join(directory, RECORD);
  rmSync(file, { force: true });
  writeFileSync(file, url, { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

/** Finds the address that the process using a data directory recorded; undefined when there is none. Refuses: never. */
export function findRecordedStorage(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, RECORD), "utf8") || undefined;
  } catch {
    return undefined;
  }
}
