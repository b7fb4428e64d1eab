import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { StartupError } from "@dataspace/service-kit/startup-error";

/**
 * Replaces the file of a key in one step, so that no service ever reads half of it. Only its owner may read it.
 *
 * Refuses: StartupError 78 for a file that cannot be written; the old one is unchanged then.
 */
export async function storeKey(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  try {
    await writeFile(next, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw new StartupError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
