import { AsyncLocalStorage } from "node:async_hooks";
import type { Queryable, StateDatabase } from "../state/state-database.ts";

const inbound = new AsyncLocalStorage<true>();

/** Whether this code runs because an event is applied, so that what it changes came from the vault. Refuses: never. */
export function isInbound(): boolean {
  return inbound.getStore() === true;
}

/**
 * Applies a change of a vault: triggers in this transaction and hooks in this asynchronous context then note nothing.
 *
 * Refuses: what `apply` rejects with. Source: S3 outbound rule 2, "skip re-entrant sync".
 */
export async function asInbound<T>(
  { query }: Queryable,
  dialect: StateDatabase<unknown>["dialect"],
  apply: () => Promise<T>,
): Promise<T> {
  if (dialect === "postgres") {
    await query({ text: "select set_config('dataspace.origin', 'inbound', true)", values: [] });
    return inbound.run(true, apply);
  }
  await query({ text: "insert into ds_origin (origin) values ('inbound') on conflict do nothing", values: [] });
  const result = await inbound.run(true, apply);
  await query({ text: "delete from ds_origin", values: [] });
  return result;
}
