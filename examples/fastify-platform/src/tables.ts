import type { DatabaseSync } from "node:sqlite";
import { eq } from "drizzle-orm";
import type { Row, TableAccess } from "@dataspace/adapter/sync/table-access";
import { openDrizzle } from "./open-drizzle.ts";
import { lines, notes, people, rooms } from "./schema.ts";

/** How a row is read with the people and rooms that it names, and written. The columns of `links` hold their ids. */
interface TableShape {
  readonly table: typeof people | typeof notes | typeof rooms | typeof lines;
  readonly links: Readonly<Record<string, { readonly column: string; readonly to: typeof people | typeof rooms }>>;
}

type TableName = "people" | "notes" | "rooms" | "lines";

const SHAPES: Readonly<Record<TableName, TableShape>> = {
  people: { table: people, links: {} },
  notes: { table: notes, links: { writer: { column: "writerId", to: people } } },
  rooms: { table: rooms, links: { host: { column: "hostId", to: people } } },
  lines: {
    table: lines,
    links: { room: { column: "roomId", to: rooms }, speaker: { column: "speakerId", to: people } },
  },
};

/**
 * Opens the platform's tables for its adapter: a note is read as `{ id, body, writer: { id, ename, ... }, ... }`, as mappings read it.
 *
 * Refuses: SQLite's errors.
 */
export function openTables(reader: DatabaseSync): Readonly<Record<TableName, TableAccess<DatabaseSync>>> {
  const open = (shape: TableShape) => openTable(shape, reader);
  return {
    people: open(SHAPES.people),
    notes: open(SHAPES.notes),
    rooms: open(SHAPES.rooms),
    lines: open(SHAPES.lines),
  };
}

function openTable({ table, links }: TableShape, reader: DatabaseSync): TableAccess<DatabaseSync> {
  const on = (transaction = reader) => openDrizzle(transaction);
  const toColumns = (row: Row): Row => {
    const columns = Object.entries(row).map(([name, value]) => {
      const link = links[name];
      return link === undefined ? [name, value] : [link.column, (value as { readonly id?: string } | null)?.id ?? null];
    });
    return Object.fromEntries(columns);
  };
  return {
    read: async (id, transaction) => {
      const row: Row | undefined = await on(transaction).select().from(table).where(eq(table.id, id)).get();
      if (row === undefined) return undefined;
      const joined: Record<string, unknown> = { ...row };
      for (const [name, { column, to }] of Object.entries(links)) {
        const linked = row[column];
        if (typeof linked !== "string") joined[name] = null;
        else joined[name] = { ...(await on(transaction).select().from(to).where(eq(to.id, linked)).get()), id: linked };
      }
      return joined;
    },
    create: async (row, transaction) => {
      const [made] = await on(transaction).insert(table).values(toColumns(row)).returning({ id: table.id });
      return made?.id ?? "";
    },
    update: async (id, changes, transaction) =>
      void (await on(transaction).update(table).set(toColumns(changes)).where(eq(table.id, id))),
    remove: async (id, transaction) => void (await on(transaction).delete(table).where(eq(table.id, id))),
  };
}
