import { parsePath } from "../mapping/parse-path.ts";
import { type Path, readPath, writePath } from "../mapping/path.ts";
import type { Queryable, StateDatabase, Statement } from "../state/state-database.ts";
import type { Row, TableAccess } from "./table-access.ts";

/** A table of the platform, and where its columns stand in the rows that mappings read. */
export interface SqlTableConfig<Transaction> {
  readonly table: string;
  /** The column by the local path: `{ text: "text", "author.id": "author_id" }`. */
  readonly columns: Readonly<Record<string, string>>;
  /** The column of the id; `id` when it is absent. */
  readonly idColumn?: string;
  /** The columns that hold JSON text. */
  readonly json?: readonly string[];
  /** Makes the id of a new row. */
  readonly newId: () => string;
  readonly database: StateDatabase<Transaction>;
  /** How statements run in the platform's own transactions. */
  readonly inTransaction: (transaction: Transaction) => Queryable;
  /** Sets a row aside instead of deleting it: a column of integers or booleans, which is 1 or true then. */
  readonly archiveColumn?: string;
}

interface Columns {
  readonly table: string;
  readonly id: string;
  readonly byPath: readonly { readonly path: Path; readonly column: string; readonly isJson: boolean }[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Reads and writes a table by plain SQL, in PostgreSQL and SQLite.
 *
 * Names are exact; PostgreSQL has folded names that were not quoted to lower case. Refuses: TypeError for names that are not plain; the database's errors.
 */
export function createSqlTable<Transaction>(config: SqlTableConfig<Transaction>): TableAccess<Transaction> {
  const columns = readColumns(config);
  const on = (transaction: Transaction | undefined): Queryable =>
    transaction === undefined ? config.database : config.inTransaction(transaction);
  const { table, id } = columns;
  const archive = config.archiveColumn === undefined ? undefined : named(config.archiveColumn);
  const remove = archive === undefined ? `delete from ${table}` : `update ${table} set ${archive} = '1'`;
  const lock = config.database.dialect === "postgres" ? "for update" : "";
  return {
    read: async (localId, transaction) => {
      const [row] = await on(transaction).query<Row>({
        // What is read in a transaction is written there, so nobody else writes the row in between.
        text: `select * from ${table} where ${id} = $1 ${transaction === undefined ? "" : lock}`,
        values: [localId],
      });
      return row && toRow(columns, row);
    },
    create: async (row, transaction) => {
      const localId = config.newId();
      const given = toValues(columns, row);
      const names = [id, ...given.map(({ column }) => named(column))];
      const places = names.map((_name, at) => `$${at + 1}`).join(", ");
      const text = `insert into ${table} (${names.join(", ")}) values (${places})`;
      await on(transaction).query({ text, values: [localId, ...given.map(({ value }) => value)] });
      return localId;
    },
    update: async (localId, changes, transaction) => {
      const given = toValues(columns, changes);
      if (given.length === 0) return;
      const set = given.map(({ column }, at) => `${named(column)} = $${at + 2}`).join(", ");
      const text = `update ${table} set ${set} where ${id} = $1`;
      await on(transaction).query({ text, values: [localId, ...given.map(({ value }) => value)] });
    },
    remove: async (localId, transaction) => {
      await on(transaction).query({ text: `${remove} where ${id} = $1`, values: [localId] });
    },
    restore: async (localId, transaction) => {
      if (archive === undefined) return;
      await on(transaction).query({ text: `update ${table} set ${archive} = '0' where ${id} = $1`, values: [localId] });
    },
    count: async () => {
      const text = `select cast(count(*) as integer) as rows from ${table}`;
      const [found] = await config.database.query<{ readonly rows: number }>({ text, values: [] });
      return found?.rows ?? 0;
    },
    list: async ({ after, limit }) => {
      const where = after === undefined ? "" : `where ${id} > $2`;
      const text = `select * from ${table} ${where} order by ${id} limit $1`;
      const rows = await config.database.query<Row>({ text, values: after === undefined ? [limit] : [limit, after] });
      return rows.map((row) => toRow(columns, row));
    },
  };
}

function readColumns<Transaction>({
  table,
  columns,
  idColumn = "id",
  json = [],
}: SqlTableConfig<Transaction>): Columns {
  const byPath = Object.entries(columns).map(([path, column]) => ({
    path: parsePath(path),
    column,
    isJson: json.includes(column),
  }));
  for (const { column } of byPath) named(column);
  return { table: named(table), id: named(idColumn), byPath };
}

/** Quoted, because a plain name may be a word of SQL, such as "order". */
function named(name: string): string {
  if (NAME.test(name)) return `"${name}"`;
  throw new TypeError(`${name} is not a plain name of a table or column.`);
}

function toRow({ id, byPath }: Columns, row: Row): Row {
  const result: Record<string, unknown> = { id: row[id.slice(1, -1)] };
  for (const { path, column, isJson } of byPath) {
    const value = row[column];
    writePath(path, result, isJson && typeof value === "string" ? JSON.parse(value) : value);
  }
  return result;
}

type Value = Statement["values"][number];

function toValues({ byPath }: Columns, row: Row): readonly { readonly column: string; readonly value: Value }[] {
  return byPath.flatMap(({ path, column, isJson }) => {
    const value = readPath(path, row);
    return value === undefined ? [] : [{ column, value: isJson ? JSON.stringify(value) : toValue(value) }];
  });
}

function toValue(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
