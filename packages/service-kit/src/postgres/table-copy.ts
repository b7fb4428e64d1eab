import { createHash } from "node:crypto";
import { type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Queryable } from "./database.ts";
import { waitForSchemaLock } from "./schema-lock.ts";

/** One table of a database: its name, and the columns that are stored, in order. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The rows and bytes of a copied table, and the SHA-256 of its text, hex. */
export interface CopiedTable extends StoredTable {
  readonly rows: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** All tables of a database, within one transaction, until it is disposed of. */
export interface TableCopy extends AsyncDisposable, Queryable {
  /** The tables of schema public, those that others reference first. */
  readonly tables: readonly StoredTable[];
  /** Writes a table in COPY's text format. */
  readonly copyOut: (table: StoredTable, to: Writable) => Promise<CopiedTable>;
  /** Removes all rows of tables. */
  readonly empty: (tables: readonly StoredTable[]) => Promise<void>;
  /** Fills an empty table from COPY's text format, without its triggers. */
  readonly copyIn: (table: StoredTable, from: Readable) => Promise<void>;
  /** Makes every identity column continue after its highest value, and commits. */
  readonly commit: () => Promise<void>;
}

const TABLES = `select c.relname as name,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.relname order by c.relname`;
const REFERENCES = `select child.relname as child, parent.relname as parent from pg_constraint k
  join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid where k.contype = 'f'`;
const IDENTITIES = `select c.relname as "table", a.attname as "column" from pg_attribute a
  join pg_class c on c.oid = a.attrelid where a.attidentity <> '' and not a.attisdropped and c.relnamespace = 'public'::regnamespace`;

/** What decides how COPY writes a value, and what it may see: a role's or a database's own settings would alter the text. */
const SESSION = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set extra_float_digits = 3; set bytea_output = 'hex'; set client_encoding = 'UTF8'; set search_path = public;
  set row_security = off; set synchronize_seqscans = off; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0`;

/**
 * Opens one transaction that sees one state of the whole database, however many others write meanwhile. Migrations wait
 * until it ends, and it waits for one that runs. Every table stays as it is: other statements that change a table wait too.
 *
 * In: the database's address. Disposing of it without `commit` rolls back. Refuses: with the driver's error.
 */
export async function openTableCopy(url: string): Promise<TableCopy> {
  const client = new pg.Client({ connectionString: url, application_name: "dataspace-copy" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const session = toQueryable(client);
    await client.query(SESSION);
    await waitForSchemaLock(session);
    await client.query("begin isolation level repeatable read");
    const { rows: tables } = await client.query<StoredTable>(TABLES);
    await lockTables(client, tables);
    const { rows: references } = await client.query<{ readonly child: string; readonly parent: string }>(REFERENCES);
    return toTableCopy(client, session, sortByReference(tables, references));
  } catch (error) {
    await client.end();
    throw error;
  }
}

function toQueryable(client: pg.Client): Queryable {
  return {
    query: async <Row>({ text, values }: Parameters<Queryable["query"]>[0]) => {
      const { rows, rowCount } = await client.query(text, [...values]);
      return { rows: rows as Row[], rowCount: rowCount ?? 0 };
    },
  };
}

async function lockTables(client: pg.Client, tables: readonly StoredTable[]): Promise<void> {
  if (tables.length === 0) return;
  await client.query(
    `lock table ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(", ")} in access share mode`,
  );
}

function toTableCopy(client: pg.Client, session: Queryable, tables: readonly StoredTable[]): TableCopy {
  return {
    ...session,
    tables,
    copyOut: (table, to) => copyOut(client, table, to),
    empty: async (emptied) => {
      if (emptied.length > 0)
        await client.query(`truncate ${emptied.map(({ name }) => pg.escapeIdentifier(name)).join(", ")}`);
    },
    copyIn: (table, from) => copyIn(client, table, from),
    commit: async () => {
      await advanceIdentities(client);
      await client.query("commit");
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function sortByReference(
  tables: readonly StoredTable[],
  references: readonly { readonly child: string; readonly parent: string }[],
): readonly StoredTable[] {
  const sorted: StoredTable[] = [];
  const add = (table: StoredTable): void => {
    if (sorted.includes(table)) return;
    for (const { child, parent } of references) {
      const needed = tables.find(({ name }) => child === table.name && name === parent && parent !== child);
      if (needed !== undefined) add(needed);
    }
    sorted.push(table);
  };
  for (const table of tables) add(table);
  return sorted;
}

async function copyOut(client: pg.Client, table: StoredTable, to: Writable): Promise<CopiedTable> {
  const source = client.query(copyTo(`copy ${listColumns(table)} to stdout`));
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const measure = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      sizeBytes += part.length;
      done(null, part);
    },
  });
  await pipeline(source, measure, to);
  return { ...table, rows: source.rowCount, sizeBytes, sha256: hash.digest("hex") };
}

async function copyIn(client: pg.Client, table: StoredTable, from: Readable): Promise<void> {
  const name = pg.escapeIdentifier(table.name);
  await client.query(`alter table ${name} disable trigger user`);
  await pipeline(from, client.query(copyFrom(`copy ${listColumns(table)} from stdin`)));
  await client.query(`alter table ${name} enable trigger user`);
}

async function advanceIdentities(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly table: string; readonly column: string }>(IDENTITIES);
  for (const { table, column } of rows) {
    const name = pg.escapeIdentifier(table);
    const highest = `(select max(${pg.escapeIdentifier(column)}) from ${name})`;
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(${highest}, 1), ${highest} is not null)`,
      [name, column],
    );
  }
}

function listColumns({ name, columns }: StoredTable): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(", ")})`;
}
