import { randomUUID } from "node:crypto";
import { access, constants, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { BlobPlace, BlobStore } from "./blob-store.ts";

/**
 * Written here first, under the blob's key and a part of its own for each writer, since two may write one blob at once. What
 * a crash leaves here is found by the key and deleted together with the blob.
 */
const INCOMING = "incoming";
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Opens a directory as a blob store; creates it where it is missing.
 *
 * A blob is written beside its place, flushed to the disk, and renamed into it. Refuses: StartupError 78 naming
 * `setting` for a directory that cannot be created or written. Source: decision V15.
 */
export async function openDirectoryBlobStore(directory: string, setting: string): Promise<BlobStore> {
  const root = resolve(directory);
  try {
    await mkdir(join(root, INCOMING), { recursive: true, mode: PRIVATE_DIRECTORY });
    await access(join(root, INCOMING), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartupError(`${setting}: ${root} cannot be used (${(error as Error).message}).`);
  }
  return {
    put: (place, bytes) => writeBlob(root, place, bytes),
    get: (place) => readBlob(root, place),
    delete: (place) => deleteBlob(root, place),
  };
}

async function writeBlob(root: string, place: BlobPlace, bytes: Uint8Array): Promise<void> {
  const incoming = join(root, INCOMING, `${incomingPrefix(place)}${randomUUID()}`);
  const file = fileOf(root, place);
  try {
    await using handle = await open(incoming, "wx", PRIVATE_FILE);
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(incoming, { force: true });
    throw error;
  }
  const made = await mkdir(dirname(file), { recursive: true, mode: PRIVATE_DIRECTORY });
  await rename(incoming, file);
  await syncDirectory(dirname(file));
  if (made !== undefined)
    for (let above = dirname(file); above !== root; above = dirname(above)) await syncDirectory(dirname(above));
}

// A new name is durable once its directory is on the disk.
async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, "r");
  await handle.sync();
}

async function readBlob(root: string, place: BlobPlace) {
  try {
    const handle = await open(fileOf(root, place), "r");
    return handle.createReadStream();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function deleteBlob(root: string, place: BlobPlace): Promise<void> {
  const incoming = join(root, INCOMING);
  const prefix = incomingPrefix(place);
  const left = (await readdir(incoming)).filter((name) => name.startsWith(prefix));
  for (const name of left) await rm(join(incoming, name), { force: true });
  await rm(fileOf(root, place), { force: true });
}

function incomingPrefix({ owner, blobKey }: BlobPlace): string {
  return `${owner.slice(1)}.${blobKey}.`;
}

// Two levels, so that no directory has an entry for every owner.
function fileOf(root: string, { owner, blobKey }: BlobPlace): string {
  const uuid = owner.slice(1);
  return join(root, uuid.slice(0, 2), uuid, blobKey);
}
