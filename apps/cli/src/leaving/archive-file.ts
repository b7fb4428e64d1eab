import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { replaceFile } from "@dataspace/deployment/replace-file";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { type Progress, showProgress } from "@dataspace/system/demo/progress";

/** Opens a stage whose progress is shown while stdout is a terminal, and not otherwise. */
export function startProgress(label: string, total: number, json: boolean): Progress {
  const silent = { write: () => undefined };
  const stream = process.stdout.isTTY && !json ? process.stdout : silent;
  return showProgress({ stream, nowMs: () => performance.now() }, { label, total });
}

/**
 * Writes a file, part by part, that exists whole or not at all.
 *
 * Refuses: StartupError 78 where it cannot be written; whatever `write` refuses. Source: decision V18.
 */
export async function writeWhole(
  file: string,
  write: (put: (part: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  await replaceFile(file, (handle) => write((bytes) => handle.writeFile(bytes))).catch((error: Error) => {
    if (!("syscall" in error)) throw error;
    throw new StartupError(`${file} cannot be written (${error.message}). Choose another place with --out.`);
  });
}

/** Finds the size of a file, in bytes. Refuses: StartupError 78 where it cannot be read. */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: Error) => error);
  if (found instanceof Error) throw new StartupError(`${file} cannot be read (${found.message}).`);
  if (!found.isFile()) throw new StartupError(`${file} is not a file.`);
  return found.size;
}

/** Reads a file part by part, and counts the bytes in `progress`. */
export async function* readParts(file: string, progress: Pick<Progress, "add">): AsyncGenerator<Buffer> {
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    progress.add(part.length);
    yield part;
  }
}
