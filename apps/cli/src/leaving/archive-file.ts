import { createReadStream } from "node:fs";
import { open, rename, stat, unlink } from "node:fs/promises";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { type Progress, showProgress } from "@dataspace/system/demo/progress";

/** Opens a stage whose progress is shown while stdout is a terminal, and not otherwise. */
export function startProgress(label: string, total: number, json: boolean): Progress {
  const silent = { write: () => undefined };
  const stream = process.stdout.isTTY && !json ? process.stdout : silent;
  return showProgress({ stream, nowMs: () => performance.now() }, { label, total });
}

/**
 * Writes a file that exists whole or not at all: beside its place first, flushed, and then renamed. Only its owner reads it.
 *
 * Refuses: StartupError 78 where it cannot be written; whatever `write` refuses. Source: decision V18.
 */
export async function writeWhole(
  file: string,
  write: (put: (part: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const part = `${file}.part`;
  const handle = await open(part, "w", 0o600).catch((error: Error) => {
    throw new StartupError(`${file} cannot be written (${error.message}). Choose another place with --out.`);
  });
  try {
    await write(async (bytes) => {
      await handle.writeFile(bytes);
    });
    await handle.sync();
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  await rename(part, file);
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
