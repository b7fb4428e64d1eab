import { createWriteStream } from "node:fs";
import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { openTableCopy } from "@dataspace/service-kit/postgres/table-copy";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type CopiedFile, hashFile, type Manifest, verifyBackup, writeManifest } from "./manifest.ts";

/** What is copied, and where to: `files` is the directory of stored files, where there is one. */
export interface BackupRequest {
  readonly url: string;
  readonly files: string | undefined;
  readonly to: string;
}

/**
 * Takes a backup into a new directory: every table in one state of the database, then the stored files, then the
 * manifest. It reads everything back before it ends. Writers do not wait for it.
 *
 * In: `nowMs` for the manifest. Refuses: StartupError 78 for a directory that exists. Source: issue "backup and
 * restore: consistent under load".
 */
export async function takeBackup(
  { database, nowMs }: { readonly database: Database; readonly nowMs: number },
  { url, files, to }: BackupRequest,
): Promise<Manifest> {
  await makeNew(to);
  await mkdir(join(to, "tables"), { mode: 0o700 });
  await mkdir(join(to, "files"), { mode: 0o700 });
  const tables = await copyTables(url, to);
  const migrations = await readMigrations(database);
  const copied = files === undefined ? [] : await copyFiles(files, join(to, "files"));
  await writeManifest(to, { format: 1, createdAt: new Date(nowMs).toISOString(), migrations, tables, files: copied });
  return await verifyBackup(to);
}

async function makeNew(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "exists already; name a new one" : `cannot be created (${code})`;
    throw new StartupError(`--to: ${directory} ${why}.`);
  }
}

async function copyTables(url: string, to: string): Promise<Manifest["tables"]> {
  await using copy = await openTableCopy(url);
  const copied = [];
  for (const table of copy.tables) {
    const file = createWriteStream(join(to, "tables", table.name), { flags: "wx", mode: 0o600, flush: true });
    copied.push(await copy.copyOut(table, file));
  }
  return copied;
}

async function readMigrations(database: Database): Promise<Manifest["migrations"]> {
  const text = "select service, array_agg(name order by number) as names from schema_migration group by service";
  const { rows } = await database.query<{ readonly service: string; readonly names: string[] }>({ text, values: [] });
  return Object.fromEntries(rows.map(({ service, names }) => [service, names]));
}

/** A stored file never changes, so that a copy is whole; one that is deleted meanwhile is left out. */
async function copyFiles(from: string, to: string): Promise<readonly CopiedFile[]> {
  const copied: CopiedFile[] = [];
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const source = join(entry.parentPath, entry.name);
    const path = relative(from, source);
    if (!entry.isFile() || path.startsWith("incoming")) continue;
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await copyFile(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      throw error;
    }
    const sha256 = (await hashFile(target)) ?? "";
    copied.push({ path, sizeBytes: (await stat(target)).size, sha256 });
  }
  return copied;
}
