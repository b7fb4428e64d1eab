import { asc, count, eq, gt } from "drizzle-orm";
import type { Row, TableAccess } from "./table-access.ts";
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** A Drizzle table of SQLite whose key is the column `id`, of texts or integers. */
export type DrizzleTable = SQLiteTable & { readonly id: SQLiteColumn };

/** A table, and what its rows name: `links` has the column of the other row's id, and the table of that row. */
export interface DrizzleTableConfig<Transaction> {
  readonly table: DrizzleTable;
  readonly links?: Readonly<Record<string, readonly [column: string, table: DrizzleTable]>>;
  /** Drizzle on the transaction, or where there is none, on what is committed. */
  readonly on: (transaction: Transaction | undefined) => BaseSQLiteDatabase<"async", unknown>;
}

/**
 * Reads and writes a Drizzle table of SQLite. A row holds what it names: with `links: { author: ["authorId", people] }` it has
 * `author: { id, ... }` or null; writing `{ author: { id } }` writes the column.
 *
 * Refuses: the driver's errors. Source: decision A3.
 */
export function createDrizzleTable<Transaction>({
  table,
  links = {},
  on,
}: DrizzleTableConfig<Transaction>): TableAccess<Transaction> {
  const find = async (from: DrizzleTable, id: string, transaction: Transaction | undefined) =>
    (
      await on(transaction)
        .select()
        .from(from)
        .where(eq(from.id, toKey(from, id)))
    )[0] as Row | undefined;
  const toColumns = (row: Row): Row => {
    const columns = Object.entries(row).map(([name, value]) => {
      const link = links[name];
      if (link === undefined) return [name, value];
      const { id = null } = (value as { readonly id?: string | null } | null) ?? {};
      return [link[0], id === null ? null : toKey(link[1], id)];
    });
    return Object.fromEntries(columns);
  };
  const join = async (row: Row, transaction: Transaction | undefined): Promise<Row> => {
    const joined: Record<string, unknown> = { ...row };
    for (const [name, [column, target]] of Object.entries(links)) {
      const linked = row[column];
      const isKey = typeof linked === "string" || typeof linked === "number";
      joined[name] = isKey ? { ...(await find(target, String(linked), transaction)), id: linked } : null;
    }
    return joined;
  };
  return {
    read: async (id, transaction) => {
      const row = await find(table, id, transaction);
      return row && join(row, transaction);
    },
    create: async (row, transaction) => {
      const [made] = await on(transaction).insert(table).values(toColumns(row)).returning({ id: table.id });
      return String(made?.id);
    },
    update: async (id, changes, transaction) =>
      void (await on(transaction)
        .update(table)
        .set(toColumns(changes))
        .where(eq(table.id, toKey(table, id)))),
    remove: async (id, transaction) =>
      void (await on(transaction)
        .delete(table)
        .where(eq(table.id, toKey(table, id)))),
    list: async ({ after, limit }) => {
      const where = after === undefined ? undefined : gt(table.id, toKey(table, after));
      const rows = await on(undefined).select().from(table).where(where).orderBy(asc(table.id)).limit(limit);
      return Promise.all(rows.map((row) => join(row, undefined)));
    },
    count: async () => (await on(undefined).select({ rows: count() }).from(table))[0]?.rows ?? 0,
  };
}

function toKey({ id }: DrizzleTable, text: string): string | number {
  return id.dataType === "number" ? Number(text) : text;
}
