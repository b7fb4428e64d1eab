import { mkdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openSqliteState, type SqliteState } from "@dataspace/adapter/state/sqlite-state";
import type { PlatformConfig } from "@dataspace/social-app/platform-config";

/** The platform's database: a connection that reads, and the adapter's, which writes, one transaction after the other. */
export interface CornerDatabase {
  readonly reader: DatabaseSync;
  readonly state: SqliteState<DatabaseSync>;
}

/**
 * A row may come before the rows that it names, and stay after them, so there are no foreign keys. What comes from a vault may lack
 * any field, so only ids and times are required.
 */
const TABLES = `
create table if not exists people (id text primary key, ename text, name text, bio text, picture text);
create index if not exists people_by_ename on people (ename);
create table if not exists notes (id text primary key, writer_id text, body text, written_ms integer not null);
create index if not exists notes_by_time on notes (written_ms, id);
create table if not exists rooms (id text primary key, host_id text, title text, members text);
create table if not exists lines (id text primary key, room_id text, speaker_id text, words text, said_ms integer not null);
create index if not exists lines_by_room on lines (room_id, said_ms, id);
create table if not exists visits (key text primary key, ename text not null, ends_ms integer not null)`;

/** Opens SQLite in the platform's directory. Refuses: the file system's and SQLite's errors. */
export async function openDatabase(
  opened: AsyncDisposableStack,
  { directory }: Pick<PlatformConfig, "directory">,
): Promise<CornerDatabase> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = `${directory}/corner.db`;
  const state = opened.use(openSqliteState<DatabaseSync>(file));
  for (const text of TABLES.split(";\n")) await state.query({ text, values: [] });
  const reader = new DatabaseSync(file, { readOnly: true });
  opened.defer(() => reader.close());
  return { reader, state };
}
