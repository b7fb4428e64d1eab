import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "./database.ts";

/** One lock for all services: whoever changes the schema, or copies the whole database, holds it. */
const KEY = "hashtextextended('dataspace-schema', 0)";
const PAUSE_MS = 50;

/**
 * Takes the schema lock within a transaction, which releases it at its end. It never waits.
 *
 * Out: whether it was free. Refuses: with the driver's error.
 */
export async function trySchemaLock(transaction: Queryable): Promise<boolean> {
  return await take(transaction, "pg_try_advisory_xact_lock");
}

/**
 * Takes the schema lock for a connection, and waits until it is free. `releaseSchemaLock` or the end of the connection releases it.
 *
 * It asks again and again: a statement that waits in the server holds a snapshot, and `create index concurrently` of the
 * lock's holder would wait for that snapshot. Refuses: with the driver's error.
 */
export async function waitForSchemaLock(session: Queryable): Promise<void> {
  while (!(await take(session, "pg_try_advisory_lock"))) await sleep(PAUSE_MS);
}

/** Releases the schema lock of a connection. Refuses: with the driver's error. */
export async function releaseSchemaLock(session: Queryable): Promise<void> {
  await session.query({ text: `select pg_advisory_unlock(${KEY})`, values: [] });
}

async function take(on: Queryable, lock: string): Promise<boolean> {
  const { rows } = await on.query<{ readonly taken: boolean }>({ text: `select ${lock}(${KEY}) as taken`, values: [] });
  return rows[0]?.taken === true;
}
