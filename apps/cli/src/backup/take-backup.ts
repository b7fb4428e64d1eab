import { createWriteStream } from "node:fs";
import { constants, copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { openTableCopy, type TableCopy } from "@dataspace/service-kit/postgres/table-copy";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { FilesPlace } from "./find-files.ts";
import { type CopiedFile, hashFile, type Manifest, verifyBackup, writeManifest } from "./manifest.ts";

/** What is copied, and where to. */
export interface BackupRequest {
  readonly url: string;
  readonly files: FilesPlace;
  readonly to: string;
}

/** Where a vault writes a file before it is complete. */
const INCOMING = "incoming";

/**
 * Takes a backup into a new directory: every table in one state of the database, then the stored files, then the
 * manifest. It reads everything back before it ends. Writers do not wait for it; migrations do. A bucket's files are
 * not copied, and the manifest says so. A backup that fails leaves no directory.
 *
 * In: `nowMs` for the manifest. Refuses: StartupError 78 for a directory that exists, a database without tables, and
 * files that cannot be read. Source: issue "backup and restore: consistent under load".
 */
export async function takeBackup(
  { nowMs }: { readonly nowMs: number },
  { url, files, to }: BackupRequest,
): Promise<Manifest> {
  await makeNew(to);
  try {
    await mkdir(join(to, "tables"), { mode: 0o700 });
    await mkdir(join(to, "files"), { mode: 0o700 });
    const copied = await copyDatabase(url, to);
    const manifest: Manifest = {
      format: 1,
      createdAt: new Date(nowMs).toISOString(),
      ...copied,
      files: files.kind === "directory" ? await copyFiles(files, join(to, "files")) : [],
      notIncluded: files.kind === "bucket" ? [`the files in the bucket ${files.bucket}`] : [],
    };
    await writeManifest(to, manifest);
    return await verifyBackup(to);
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  }
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

async function copyDatabase(url: string, to: string): Promise<Pick<Manifest, "tables" | "migrations">> {
  await using copy = await openTableCopy(url);
  if (copy.tables.length === 0)
    throw new StartupError("DATABASE_URL: the database has no tables. Name the services' own.");
  const migrations = await readMigrations(copy);
  const tables = [];
  for (const table of copy.tables) {
    const file = createWriteStream(join(to, "tables", table.name), { flags: "wx", mode: 0o600, flush: true });
    tables.push(await copy.copyOut(table, file));
  }
  return { tables, migrations };
}

async function readMigrations(copy: TableCopy): Promise<Manifest["migrations"]> {
  if (!copy.tables.some(({ name }) => name === "schema_migration")) return {};
  const text = "select service, array_agg(name order by number) as names from schema_migration group by service";
  const { rows } = await copy.query<{ readonly service: string; readonly names: string[] }>({ text, values: [] });
  return Object.fromEntries(rows.map(({ service, names }) => [service, names]));
}

/** A stored file never changes, so that a copy is whole; one that is deleted meanwhile is left out. */
async function copyFiles(from: FilesPlace & { kind: "directory" }, to: string): Promise<readonly CopiedFile[]> {
  const copied: CopiedFile[] = [];
  for (const path of await listFiles(from)) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    if (!(await copyPresent(join(from.path, path), target))) continue;
    const sha256 = (await hashFile(target)) ?? "";
    copied.push({ path, sizeBytes: (await stat(target)).size, sha256 });
  }
  return copied;
}

async function listFiles({ path, isNamed }: FilesPlace & { kind: "directory" }): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(path, join(parentPath, name)));
    return files.filter((file) => !file.startsWith(INCOMING + sep));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A data directory has no files before its first upload.
    if (code === "ENOENT" && !isNamed) return [];
    throw new StartupError(`DS_FILES: ${path} cannot be read (${message}).`);
  }
}

/** Out: false for a file that was deleted since the directory was listed. */
async function copyPresent(source: string, target: string): Promise<boolean> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    throw new StartupError(`DS_FILES: ${source} cannot be copied (${message}).`);
  }
}
