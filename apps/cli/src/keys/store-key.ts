import { writeFile } from "node:fs/promises";
import { replaceFile } from "@dataspace/deployment/replace-file";
import { StartupError } from "@dataspace/service-kit/startup-error";

/**
 * Replaces the file of a key in one step, so that no service ever reads half of it. The file keeps its owner and mode.
 *
 * Refuses: StartupError 78 for a file that cannot be written; the old one is unchanged then.
 */
export async function storeKey(file: string, text: string): Promise<void> {
  await replaceFile(file, (handle) => handle.writeFile(`${text}\n`), { keepsAccess: true }).catch(refuse(file));
}

/**
 * Writes a new key into a file that does not exist yet. Only its owner may read it.
 *
 * Refuses: StartupError 78 for a file that exists or cannot be written.
 */
export async function storeNewKey(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { flag: "wx", mode: 0o600, flush: true }).catch(refuse(file));
}

function refuse(file: string): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    const why =
      code === "EEXIST" ? "exists already; name a new file, or rotate its key" : `cannot be written (${code})`;
    throw new StartupError(`${file} ${why}.`);
  };
}
