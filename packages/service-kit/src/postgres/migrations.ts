import { setTimeout as sleep } from "node:timers/promises";
import { StartupError } from "../startup-error.ts";
import type { Database, Queryable } from "./database.ts";
import { type MigrationFile, readMigrationFiles } from "./migration-files.ts";
import { applyOnline, LOCK_NOT_AVAILABLE, LOCK_WAIT_MS } from "./online-migration.ts";
import { trySchemaLock } from "./schema-lock.ts";

/** A service's migrations: its name, and the folder with its numbered files. */
export interface MigrationSource {
  readonly service: string;
  readonly directory: URL;
}

/** An optional migration that this server could not apply: everything works without it, more slowly. */
export interface SkippedMigration {
  readonly name: string;
  readonly reason: string;
}

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

const CREATE_TABLE = `create table if not exists schema_migration (
  service text not null,
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  primary key (service, number)
)`;

const LOCK_PAUSE_MS = 250;
const MOST_LOCK_ATTEMPTS = 240;
const UNDEFINED_TABLE = "42P01";
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Two processes create one table at the same time: unique_violation in the catalogue, duplicate_table,
 * duplicate_object.
 */
const CREATED_MEANWHILE = new Set(["23505", "42P07", "42710"]);

/** The extension or operator class is absent, or may not be created: feature, file, function, object, privilege. */
const ACCELERATOR_UNAVAILABLE = new Set(["0A000", "58P01", "42883", "42704", "42501"]);

/**
 * Applies a service's pending migration files, each under the schema lock, so that no other migrator or backup runs
 * meanwhile. A file is one transaction; one whose first line is `-- online` runs statement by statement, as
 * `applyOnline` says. A file whose first line is `-- optional: <reason>` is skipped where the server lacks the
 * extension or the privilege, and tried again at the next start.
 *
 * A statement waits 150 ms for the lock of a table that requests use. The file, or the statement of an online file, is
 * then tried again, 240 times in all, which takes about 96 s. Only the concurrent build of an index waits longer, and
 * nobody waits behind it.
 *
 * Out: the names applied now, and the optional migrations skipped.
 * Refuses: StartupError (78) for a file that changed after it was applied, a database that is newer than the files, and
 * a file that fails (without effect, except that an online file's earlier statements stay); the driver's error when the
 * server does not answer.
 * Source: decision P4; issue "numbered migrations, checked at start".
 */
export async function migrate(
  database: Database,
  source: MigrationSource,
): Promise<{ readonly applied: string[]; readonly skipped: SkippedMigration[] }> {
  const files = await readMigrationFiles(source.directory);
  await createTable(database);
  const history = await readApplied(database, source.service);
  assertSameHistory(source.service, files, history);
  const applied: string[] = [];
  const skipped: SkippedMigration[] = [];
  // What is applied needs no lock, so that a start does not wait for another's migration or backup.
  for (const file of files.filter((each) => !hasApplied(history, each))) {
    const outcome = await applyFile(database, source.service, file);
    if (outcome === "applied") applied.push(file.name);
    else if (outcome !== "present") skipped.push(outcome);
  }
  return { applied, skipped };
}

/**
 * Checks, without changing anything, that `migrate` has nothing left to do (optional migrations apart).
 *
 * Refuses: StartupError (78) naming the pending, changed or unknown migrations. Source: decision P5.
 */
export async function assertMigrated(database: Queryable, source: MigrationSource): Promise<void> {
  const files = await readMigrationFiles(source.directory);
  const applied = await readApplied(database, source.service);
  assertSameHistory(source.service, files, applied);
  const present = new Set(applied.map((row) => row.number));
  const pending = files.filter((file) => !present.has(file.number) && file.optionalReason === undefined);
  if (pending.length === 0) return;
  const names = pending.map((file) => file.name).join(", ");
  throw new StartupError(
    `The database lacks migrations of ${source.service}: ${names}. Run: dataspace migrate ${source.service}`,
  );
}

async function createTable(database: Queryable): Promise<void> {
  try {
    await database.query({ text: CREATE_TABLE, values: [] });
  } catch (error) {
    const sqlState = sqlStateOf(error);
    if (sqlState === INSUFFICIENT_PRIVILEGE) {
      throw new StartupError("DATABASE_URL: its user may not create tables. Grant it CREATE on the schema it uses.");
    }
    if (sqlState === undefined || !CREATED_MEANWHILE.has(sqlState)) throw error;
  }
}

async function readApplied(database: Queryable, service: string): Promise<readonly AppliedRow[]> {
  try {
    const text = "select number, name, checksum from schema_migration where service = $1 order by number";
    return (await database.query<AppliedRow>({ text, values: [service] })).rows;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

function assertSameHistory(service: string, files: readonly MigrationFile[], applied: readonly AppliedRow[]): void {
  const filesByNumber = new Map(files.map((file) => [file.number, file]));
  for (const row of applied) {
    const file = filesByNumber.get(row.number);
    if (file === undefined) {
      throw new StartupError(
        `The database is newer than this build: it has migration ${row.name} of ${service}. Start the newer build.`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new StartupError(
        `Migration ${row.name} of ${service} was changed after it was applied. Restore the file; put the change into a new one.`,
      );
    }
  }
}

async function applyFile(
  database: Database,
  service: string,
  file: MigrationFile,
): Promise<"applied" | "present" | SkippedMigration> {
  try {
    return await applyPatiently(database, service, file);
  } catch (error) {
    const sqlState = sqlStateOf(error);
    if (sqlState === undefined) throw error;
    if (file.optionalReason !== undefined && ACCELERATOR_UNAVAILABLE.has(sqlState)) {
      return { name: file.name, reason: `${file.optionalReason} (${(error as Error).message})` };
    }
    const effect = file.isOnline
      ? "failed; what its earlier statements did stays, and the next run begins with its first statement"
      : "failed and left nothing behind";
    const failure = new StartupError(
      `Migration ${file.name} of ${service} ${effect}: ${(error as Error).message} (${sqlState}).`,
    );
    failure.cause = error;
    throw failure;
  }
}

// A statement that waits for a table's lock makes every later request to that table wait behind it.
async function applyPatiently(
  database: Database,
  service: string,
  file: MigrationFile,
): Promise<"applied" | "present"> {
  if (file.isOnline) {
    const isApplied = async (session: Queryable) => hasApplied(await readApplied(session, service), file);
    const record = (session: Queryable) => recordApplied(session, service, file);
    return await applyOnline(database, { file, isApplied, record, pause });
  }
  for (let attempt = 1; ; ) {
    try {
      const outcome = await database.transaction((transaction) => applyInTransaction(transaction, service, file));
      if (outcome !== "busy") return outcome;
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || attempt >= MOST_LOCK_ATTEMPTS) throw error;
      attempt += 1;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

async function pause(attempt: number): Promise<void> {
  if (attempt >= MOST_LOCK_ATTEMPTS) {
    throw new StartupError("A table of the migration stays locked. End the session that holds it, and run it again.");
  }
  await sleep(LOCK_PAUSE_MS);
}

function hasApplied(applied: readonly AppliedRow[], { number }: MigrationFile): boolean {
  return applied.some((row) => row.number === number);
}

async function recordApplied(on: Queryable, service: string, file: MigrationFile): Promise<void> {
  await on.query({
    text: "insert into schema_migration (service, number, name, checksum) values ($1, $2, $3, $4)",
    values: [service, file.number, file.name, file.checksum],
  });
}

async function applyInTransaction(
  transaction: Queryable,
  service: string,
  file: MigrationFile,
): Promise<"applied" | "present" | "busy"> {
  // A migration may build a large index: the limits of requests do not apply to it.
  await transaction.query({ text: "set local statement_timeout = 0", values: [] });
  if (!(await trySchemaLock(transaction))) return "busy";
  if (hasApplied(await readApplied(transaction, service), file)) return "present";
  await transaction.query({ text: `set local lock_timeout = ${LOCK_WAIT_MS}`, values: [] });
  await transaction.query({ text: file.sql, values: [], unbounded: true });
  await recordApplied(transaction, service, file);
  return "applied";
}

function sqlStateOf(error: unknown): string | undefined {
  const isServers = error instanceof Error && "severity" in error && "code" in error;
  return isServers && typeof error.code === "string" ? error.code : undefined;
}
