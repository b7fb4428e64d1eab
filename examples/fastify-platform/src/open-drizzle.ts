import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";

/**
 * Runs Drizzle on a connection of node:sqlite, which needs no native build. It is inside whatever transaction the connection is in.
 *
 * Refuses: SQLite's errors.
 */
export function openDrizzle(database: DatabaseSync): SqliteRemoteDatabase {
  return drizzle(async (text, values, method) => {
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    const given = values.map(toSqlite);
    if (method === "get") return { rows: statement.get(...given) as unknown as unknown[] };
    return { rows: statement.all(...given) };
  });
}

/** A vault may hold any JSON where the platform has text. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  const isPlain = value === null || typeof value !== "object" || value instanceof Uint8Array;
  return (isPlain ? value : JSON.stringify(value)) as SQLInputValue;
}
