import { eq } from "drizzle-orm";
import type { Row, TableAccess } from "./table-access.ts";
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** A Drizzle table of SQLite whose key is the column `id`. */
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
    (await on(transaction).select().from(from).where(eq(from.id, id)))[0] as Row | undefined;
  const toColumns = (row: Row): Row => {
    const columns = Object.entries(row).map(([name, value]) => {
      const [column] = links[name] ?? [];
      return column === undefined ? [name, value] : [column, (value as { readonly id?: string } | null)?.id ?? null];
    });
    return Object.fromEntries(columns);
  };
  return {
    read: async (id, transaction) => {
      const row = await find(table, id, transaction);
      if (row === undefined) return undefined;
      const joined: Record<string, unknown> = { ...row };
      for (const [name, [column, target]] of Object.entries(links)) {
        const linked = row[column];
        joined[name] = typeof linked === "string" ? { ...(await find(target, linked, transaction)), id: linked } : null;
      }
      return joined;
    },
    create: async (row, transaction) => {
      const [made] = await on(transaction).insert(table).values(toColumns(row)).returning({ id: table.id });
      return String(made?.id);
    },
    update: async (id, changes, transaction) =>
      void (await on(transaction).update(table).set(toColumns(changes)).where(eq(table.id, id))),
    remove: async (id, transaction) => void (await on(transaction).delete(table).where(eq(table.id, id))),
  };
}
