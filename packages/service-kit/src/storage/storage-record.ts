import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RECORD = "storage-address";

/**
 * Notes in a data directory where its running server is reached, for commands that work beside a running service. The
 * address may carry a password: the file is for the owner's eyes (0600) and goes with dispose.
 *
 * In: the directory whose lock the caller holds. Refuses: never by itself. Source: decisions P4, P5.
 */
export function recordStorage(directory: string, url: string): Disposable {
  const file = join(directory, RECORD);
  rmSync(file, { force: true });
  writeFileSync(file, url, { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

/** Finds the address that the process using a data directory noted there; undefined when it noted none. Refuses: never. */
export function findRecordedStorage(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, RECORD), "utf8") || undefined;
  } catch {
    return undefined;
  }
}
