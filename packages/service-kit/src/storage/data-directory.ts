import { chmod, mkdir, realpath, stat } from "node:fs/promises";
import { StartupError } from "../startup-error.ts";
import { lockDirectory } from "./directory-lock.ts";

const OTHERS_WRITE = 0o002;
const OTHERS_READ = 0o004;
const PRIVATE = 0o700;

/** A directory that only this process uses until it disposes of it. `path` is absolute and free of symbolic links. */
export interface DataDirectory extends AsyncDisposable {
  readonly path: string;
}

/**
 * Creates a data directory where it is missing (mode 0700) and takes its lock.
 *
 * In: `report` gets a line when other users can read the directory.
 * Refuses: StartupError 75 within 1 s when another process has it (naming that process's pid); 78 when it cannot be
 * created or written, or when every user may write to it. Source: decisions P4, P6, P7.
 */
export async function openDataDirectory(
  path: string,
  deps: { readonly report: (line: string) => void },
): Promise<DataDirectory> {
  const directory = await makeDirectory(path);
  const { mode } = await stat(directory);
  if ((mode & OTHERS_WRITE) !== 0) {
    throw new StartupError(
      `DS_DATA_DIR: every user may write in ${directory}. Use a directory of its own (mode 0700).`,
    );
  }
  if ((mode & OTHERS_READ) !== 0) {
    deps.report(`Every user may list ${directory}; close it with: chmod 700 ${directory}`);
  }
  const lock = await lockDirectory(directory, "lock");
  return { path: directory, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]() };
}

async function makeDirectory(path: string): Promise<string> {
  try {
    const made = await mkdir(path, { recursive: true, mode: PRIVATE });
    if (made !== undefined) await chmod(path, PRIVATE);
    const directory = await realpath(path);
    if (!(await stat(directory)).isDirectory()) throw new Error("it is not a directory");
    return directory;
  } catch (error) {
    throw new StartupError(`DS_DATA_DIR: ${path} cannot be used (${(error as Error).message}).`);
  }
}
