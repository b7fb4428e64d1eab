import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DeploymentError } from "./deployment-error.ts";
import { replaceFile } from "./replace-file.ts";

/** The files of one deployment, each written whole or not at all. */
export interface StateFiles {
  readonly directory: string;
  /** Reads a file; undefined where there is none. Refuses: STATE_DAMAGED. */
  readonly read: <Value>(name: string) => Promise<Value | undefined>;
  readonly write: (name: string, value: unknown) => Promise<void>;
}

/**
 * Opens the directory of one deployment. Only its user can read it: a directory that is made here has mode 0700, each file 0600.
 *
 * Refuses: STATE_DAMAGED for a file that is not JSON; errors of the file system. Source: decision A1.
 */
export function openStateFiles(directory: string): StateFiles {
  return {
    directory,
    read: async (name) => readJson(join(directory, name)),
    write: async (name, value) => {
      const made = await mkdir(directory, { recursive: true, mode: 0o700 });
      // The mask of the process may have widened it; a directory that was there before keeps its mode.
      if (made !== undefined) await chmod(directory, 0o700);
      await replaceFile(join(directory, name), (handle) => handle.writeFile(`${JSON.stringify(value, null, 2)}\n`));
    },
  };
}

async function readJson<Value>(file: string): Promise<Value | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new DeploymentError(
      "STATE_DAMAGED",
      `${file} is not JSON; restore it, or begin again in another directory.`,
      {
        cause,
      },
    );
  }
}
