import { type SQL, sql } from "drizzle-orm";
import { handleChange, type LocalChange } from "../outbound/handle-change.ts";
import type { Queryable, StateDatabase, Statement } from "../state/state-database.ts";
import type { SyncCore } from "../sync/sync.ts";

/** What is needed of a Drizzle database or transaction of PostgreSQL. */
export interface DrizzleExecutor {
  readonly execute: (query: SQL) => Promise<{ readonly rows: unknown[] }>;
}

/** What is needed of a Drizzle database of PostgreSQL. */
export interface DrizzleDatabase<Transaction extends DrizzleExecutor> extends DrizzleExecutor {
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
}

/**
 * Keeps the adapter's state in the database of a Drizzle instance: PostgreSQL by `drizzle-orm/node-postgres`.
 *
 * Transactions of the adapter are Drizzle's, so `TableAccess` gets them. Refuses: the driver's errors.
 */
export function createDrizzleState<Transaction extends DrizzleExecutor>(
  database: DrizzleDatabase<Transaction>,
): StateDatabase<Transaction> {
  return {
    dialect: "postgres",
    query: queryOn(database),
    inTransaction: (work) => database.transaction((transaction) => work({ transaction, query: queryOn(transaction) })),
  };
}

/**
 * Notes a change in the Drizzle transaction that makes it. Drizzle has no hooks: call it beside the write, or use `captureStatements`.
 *
 * Refuses: as handleChange, which rolls the change back.
 */
export async function noteDrizzleChange(
  sync: SyncCore & { readonly tables: Readonly<Record<string, object>> },
  transaction: DrizzleExecutor,
  change: LocalChange,
): Promise<void> {
  await handleChange(sync, change, { query: queryOn(transaction) });
}

function queryOn(executor: DrizzleExecutor): Queryable["query"] {
  return async <Row>(statement: Statement) => (await executor.execute(toSql(statement))).rows as Row[];
}

function toSql({ text, values }: Statement): SQL {
  const parts = text.split(/(\$\d+)/);
  return sql.join(
    parts.map((part) => (/^\$\d+$/.test(part) ? sql.param(values[Number(part.slice(1)) - 1]) : sql.raw(part))),
  );
}
