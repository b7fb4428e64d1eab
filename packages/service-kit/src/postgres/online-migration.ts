import type { Database, Queryable } from "./database.ts";
import type { MigrationFile } from "./migration-files.ts";
import { releaseSchemaLock, waitForSchemaLock } from "./schema-lock.ts";

/** An online migration, and how to record it once it is complete. */
export interface OnlineMigration {
  readonly file: MigrationFile;
  readonly isApplied: (session: Queryable) => Promise<boolean>;
  readonly record: (session: Queryable) => Promise<void>;
  /** Waits before a statement that found its table locked runs again. */
  readonly pause: (attempt: number) => Promise<void>;
}

/** How long a statement waits for a table's lock; requests queue behind it no longer than this. */
export const LOCK_WAIT_MS = 150;
/** The SQLSTATE of a lock that was not there within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = "55P03";

const BATCH_MARK = "-- batch";
const CONCURRENT_INDEX = "index concurrently if not exists ";

/**
 * Applies a migration whose first line is `-- online`, while requests run: statement by statement, without a
 * transaction around them, so that an index can be built concurrently. Each statement must be repeatable (`if not
 * exists`), because a migration that was killed starts again from its first statement.
 *
 * A statement after a line `-- batch` runs until it changes no row. An index that a killed run left invalid is dropped
 * first. Out: whether it was applied now. Refuses: with the server's error.
 */
export async function applyOnline(database: Database, migration: OnlineMigration): Promise<"applied" | "present"> {
  return await database.transaction(async (session) => {
    // Ends the transaction: what follows runs on this connection, each statement by itself.
    await session.query({ text: "commit", values: [] });
    try {
      await session.query({ text: "set statement_timeout = 0", values: [] });
      await waitForSchemaLock(session);
      if (await migration.isApplied(session)) return "present";
      for (const statement of splitStatements(migration.file.sql)) await runStatement(session, statement, migration);
      await migration.record(session);
      return "applied";
    } finally {
      await releaseSchemaLock(session).catch(() => undefined);
      await session.query({ text: "reset statement_timeout; reset lock_timeout", values: [] }).catch(() => undefined);
    }
  });
}

function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  // A statement ends with the line that ends with a semicolon.
  for (const line of sql.split("\n")) {
    lines.push(line);
    if (line.startsWith("--") || !line.trimEnd().endsWith(";")) continue;
    statements.push(lines.join("\n"));
    lines = [];
  }
  if (lines.some((line) => line.trim() !== "" && !line.startsWith("--"))) statements.push(lines.join("\n"));
  return statements;
}

async function runStatement(session: Queryable, statement: string, { pause }: OnlineMigration): Promise<void> {
  const index = findIndex(statement);
  if (index !== undefined) await dropInvalid(session, index);
  // A concurrent build waits for old transactions without making anybody wait behind it.
  const waitMs = /\bconcurrently\b/i.test(statement) ? 0 : LOCK_WAIT_MS;
  await session.query({ text: `set lock_timeout = ${waitMs}`, values: [] });
  const isBatch = statement.split("\n").some((line) => line.trim() === BATCH_MARK);
  for (let attempt = 1; ; ) {
    try {
      const { rowCount } = await session.query({ text: statement, values: [], unbounded: true });
      if (!isBatch || rowCount === 0) return;
    } catch (error) {
      if ((error as { readonly code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      await pause(attempt);
      attempt += 1;
    }
  }
}

function findIndex(statement: string): string | undefined {
  const text = statement
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
  const start = text.toLowerCase().indexOf(CONCURRENT_INDEX);
  return start === -1 ? undefined : text.slice(start + CONCURRENT_INDEX.length).split(" ")[0];
}

async function dropInvalid(session: Queryable, index: string): Promise<void> {
  const text = "select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid";
  const { rows } = await session.query({ text, values: [index] });
  if (rows.length === 0) return;
  await session.query({ text: "set lock_timeout = 0", values: [] });
  await session.query({ text: `drop index concurrently ${index}`, values: [], unbounded: true });
}
