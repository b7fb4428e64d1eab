import type { StateDatabase } from "./state-database.ts";

/**
 * The adapter's tables, in SQL that PostgreSQL and SQLite both read. Times are milliseconds since the epoch, flags 0 or 1.
 *
 * ds_change has one row for each row of the platform that is out of step: whoever changes a row raises `tail` in the same transaction.
 * ds_pair joins a row to its record; `known` is the record's payload as the row reflects it.
 */
const TABLES = `
create table if not exists ds_change (
  table_name text not null, local_id text not null,
  tail integer not null,
  next_at double precision, lease text, attempts integer not null default 0,
  pull integer not null default 0, participants text, snapshot text, fault text,
  primary key (table_name, local_id));
create index if not exists ds_change_due on ds_change (next_at) where next_at is not null;
create table if not exists ds_pair (
  table_name text not null, local_id text not null, owner text not null, global_id text not null,
  known text not null, held text not null default '[]', revision integer not null default 0,
  own_writes integer not null default 0, removal text not null default 'none', saved_at double precision not null,
  primary key (table_name, local_id), unique (owner, global_id));
create index if not exists ds_pair_by_global_id on ds_pair (table_name, global_id);
create table if not exists ds_intent (
  table_name text not null, local_id text not null, owner text not null,
  idempotency_key text not null, input text not null, global_id text, made_at double precision not null,
  primary key (table_name, local_id));
create index if not exists ds_intent_by_owner on ds_intent (owner);
create index if not exists ds_intent_by_key on ds_intent (idempotency_key);
create table if not exists ds_reference (
  table_name text not null, local_id text not null, participant text not null,
  idempotency_key text not null, global_id text,
  primary key (table_name, local_id, participant));
create table if not exists ds_pending (
  target_table text not null, target_id text not null, side text not null,
  table_name text not null, local_id text not null,
  primary key (target_table, target_id, side, table_name, local_id));
create table if not exists ds_inbox (
  dsid text not null, id text not null, event_id text not null, stream_version double precision not null,
  primary key (dsid, id));
create table if not exists ds_file (
  file_key text primary key, uri text not null);
create table if not exists ds_cursor (
  name text primary key, position text not null);
create table if not exists ds_origin (
  origin text primary key)`;

/** Prisma reads no column of the type void, so the result is cast. */
const LOCK = "select pg_advisory_xact_lock(7220913)::text";

/** Makes the adapter's tables where they are not there yet. Refuses: the database's errors. */
export async function createStateTables(database: StateDatabase<unknown>): Promise<void> {
  await database.inTransaction(async ({ query }) => {
    for (const text of stateTableStatements(database.dialect)) await query({ text, values: [] });
  });
}

/**
 * The statements that make the adapter's tables, for a platform that keeps its own migrations. In one transaction they are safe beside
 * another process that runs them, because PostgreSQL lets one at a time pass the lock.
 *
 * Refuses: never.
 */
export function stateTableStatements(dialect: StateDatabase<unknown>["dialect"]): readonly string[] {
  return [...(dialect === "postgres" ? [LOCK] : []), ...TABLES.trim().split(/;\n/)];
}
