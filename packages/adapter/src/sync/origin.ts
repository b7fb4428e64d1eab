import { AsyncLocalStorage } from "node:async_hooks";
import type { Session, StateDatabase } from "../state/state-database.ts";

/** A mark of the code that applies an event. It ends with the transaction, also for work that outlives it. */
interface InboundMark {
  isOpen: boolean;
}

const inbound = new AsyncLocalStorage<InboundMark>();

/** Whether this code runs inside a transaction that applies an event, so that what it changes came from the vault. Refuses: never. */
export function isInbound(): boolean {
  return inbound.getStore()?.isOpen === true;
}

/**
 * Applies a change of a vault in a transaction: triggers in this transaction and hooks in this asynchronous context then note nothing.
 * Work that `apply` starts and does not wait for is noted again once the transaction has ended.
 *
 * Refuses: what `apply` rejects with, rolled back. Source: S3 outbound rule 2, "skip re-entrant sync".
 */
export async function inInboundTransaction<Transaction, T>(
  database: StateDatabase<Transaction>,
  apply: (session: Session<Transaction>) => Promise<T>,
): Promise<T> {
  const mark: InboundMark = { isOpen: true };
  try {
    return await inbound.run(mark, () =>
      database.inTransaction((session) => markTransaction(database.dialect, session, apply)),
    );
  } finally {
    mark.isOpen = false;
  }
}

async function markTransaction<Transaction, T>(
  dialect: StateDatabase<Transaction>["dialect"],
  session: Session<Transaction>,
  apply: (session: Session<Transaction>) => Promise<T>,
): Promise<T> {
  if (dialect === "postgres") {
    await session.query({ text: "select set_config('dataspace.origin', 'inbound', true)", values: [] });
    return apply(session);
  }
  await session.query({ text: "insert into ds_origin (origin) values ('inbound') on conflict do nothing", values: [] });
  const result = await apply(session);
  await session.query({ text: "delete from ds_origin", values: [] });
  return result;
}
