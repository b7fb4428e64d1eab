import { randomUUID } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";

const PRIVATE = 0o600;
const PERMISSIONS = 0o777;

/**
 * Writes a file that exists whole or not at all: beside its place first, flushed, and then renamed. A reader sees the old
 * content or the new one.
 *
 * In: with `keepsAccess` a file that was there keeps its owner and its mode; otherwise only this user reads the new one. The
 * file behind a symbolic link is replaced, and the link stays. Refuses: errors of the file system, and those of `write`;
 * the old file is unchanged then.
 */
export async function replaceFile(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
  { keepsAccess = false }: { readonly keepsAccess?: boolean } = {},
): Promise<void> {
  const place = await realpath(file).catch(orWhereAbsent(file));
  const old = keepsAccess ? await stat(place).catch(orWhereAbsent(undefined)) : undefined;
  // A name of its own, so that two processes never write into one file.
  const beside = `${place}.${randomUUID()}`;
  try {
    await using handle = await open(beside, "wx", PRIVATE);
    await write(handle);
    if (old !== undefined) {
      const now = await handle.stat();
      if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(old.uid, old.gid);
      await handle.chmod(old.mode & PERMISSIONS);
    }
    await handle.sync();
    await rename(beside, place);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

function orWhereAbsent<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}
