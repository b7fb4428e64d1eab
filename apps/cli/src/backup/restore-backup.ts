import { createReadStream } from "node:fs";
import { constants, copyFile, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type MigrationSource, migrate } from "@dataspace/service-kit/postgres/migrations";
import { openTableCopy } from "@dataspace/service-kit/postgres/table-copy";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { FilesPlace } from "./find-files.ts";
import { hashFile, type Manifest, verifyBackup } from "./manifest.ts";
import { undoRestore } from "./undo-restore.ts";

/** The backup, and the empty database and directory that receive it. */
export interface RestoreRequest {
  readonly from: string;
  readonly url: string;
  readonly files: FilesPlace;
  /** The migrations of this build. */
  readonly sources: readonly MigrationSource[];
}

/**
 * Restores a backup into an empty database and an empty directory, and compares every table and file with the manifest.
 *
 * The schema gets the migrations of the backup; `dataspace migrate` applies later ones afterwards. All rows are
 * restored in one transaction. A restore that fails removes its tables and files again; one that is killed leaves its
 * tables empty, and the next one names them.
 * Refuses: StartupError 78 for an altered backup, one of a newer build, and a target that holds data. Source: issue
 * "verified restore, one flipped byte refused".
 */
export async function restoreBackup(database: Database, request: RestoreRequest): Promise<Manifest> {
  const files = request.files.kind === "directory" ? request.files.path : undefined;
  const manifest = await verifyBackup(request.from);
  await assertEmpty(database);
  if (manifest.files.length > 0 && files === undefined) {
    throw new StartupError("DS_FILES: is required, since the backup holds files. Set it to an empty directory.");
  }
  if (files !== undefined) await assertEmptyDirectory(files);
  try {
    await restoreInto(database, { ...request, manifest, into: files });
  } catch (error) {
    throw await undone(error, undoRestore(database, files));
  }
  return manifest;
}

/** Waits for the removal of what a restore made. Out: the restore's error, which says so where the removal failed too. */
async function undone(error: unknown, undoing: Promise<void>): Promise<unknown> {
  try {
    await undoing;
    return error;
  } catch (cause) {
    const [why, whyNot] = [error, cause].map((one) => (one as Error).message);
    const failure = new StartupError(
      `${why} What was restored until then could not be removed (${whyNot}). Name another empty database and directory.`,
    );
    failure.cause = error;
    return failure;
  }
}

async function restoreInto(
  database: Database,
  {
    from,
    url,
    sources,
    manifest,
    into,
  }: RestoreRequest & { readonly manifest: Manifest; readonly into: string | undefined },
): Promise<void> {
  await applyMigrations(database, manifest, sources);
  await using copy = await openTableCopy(url);
  const stored = manifest.tables.filter(({ name }) => name !== "schema_migration");
  const ordered = copy.tables.flatMap(({ name }) => stored.find((table) => table.name === name) ?? []);
  if (ordered.length < stored.length)
    throw new StartupError("The backup holds a table that its migrations do not make.");
  await copy.empty(ordered);
  for (const table of ordered) await copy.copyIn(table, createReadStream(join(from, "tables", table.name)));
  for (const table of ordered) {
    const { sha256 } = await copy.copyOut(table, new Writable({ write: (_part, _encoding, done) => done() }));
    if (sha256 !== table.sha256) throw new StartupError(`The table ${table.name} differs after the restore.`);
  }
  if (into !== undefined) await restoreFiles(manifest, join(from, "files"), into);
  await copy.commit();
}

async function assertEmpty(database: Database): Promise<void> {
  const text =
    "select relname as name from pg_class where relkind in ('r','p') and relnamespace = 'public'::regnamespace";
  const { rows } = await database.query<{ readonly name: string }>({ text, values: [] });
  if (rows.length === 0) return;
  throw new StartupError(
    `DATABASE_URL: the database holds ${rows.length} tables already, such as ${rows[0]?.name}. Name an empty database.`,
  );
}

async function assertEmptyDirectory(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new StartupError(`DS_FILES: ${directory} cannot be read (${error.message}).`);
  });
  if (entries.length === 0) return;
  throw new StartupError(`DS_FILES: ${directory} holds ${entries[0]} already. Name an empty directory.`);
}

/** Applies exactly the migrations of the backup: those files of this build, from a directory of their own. */
async function applyMigrations(
  database: Database,
  { migrations }: Manifest,
  sources: readonly MigrationSource[],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-restore-"));
  try {
    for (const [service, names] of Object.entries(migrations)) {
      const source = sources.find((other) => other.service === service);
      const known = source === undefined ? [] : await readdir(source.directory);
      const unknown = names.find((name) => !known.includes(name));
      if (source === undefined || unknown !== undefined) {
        throw new StartupError(
          `The backup is newer than this build: it has migration ${unknown ?? ""} of ${service}. Restore with the newer build.`,
        );
      }
      const own = join(directory, service);
      for (const name of names) await cp(fileURLToPath(new URL(name, source.directory)), join(own, name));
      await migrate(database, { service, directory: pathToFileURL(`${own}/`) });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function restoreFiles(manifest: Manifest, from: string, to: string): Promise<void> {
  for (const { path, sha256 } of manifest.files) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(join(from, path), target, constants.COPYFILE_EXCL);
    if ((await hashFile(target)) !== sha256) throw new StartupError(`The file ${target} differs after the restore.`);
  }
}
