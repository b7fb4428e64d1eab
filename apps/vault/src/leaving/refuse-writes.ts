import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { refusal, refusalForNow } from "../errors.ts";
import { LEAVING_SQLSTATES } from "../store/vault-state-rows.ts";

const RETRY_AFTER_SECONDS = 30;

/**
 * Makes a database that refuses a write to a vault that is leaving or has left by its code of the table.
 *
 * Refuses: VAULT_READ_ONLY, VAULT_MOVED; all other errors as the database does. Source: decision V18.
 */
export function refusingWrites(database: Database): Database {
  const query: Queryable["query"] = (statement) => orRefusal(database.query(statement));
  return {
    query,
    transaction: (work) =>
      orRefusal(database.transaction((inner) => work({ query: (statement) => orRefusal(inner.query(statement)) }))),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

function orRefusal<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw toRefusal(error) ?? error;
  });
}

function toRefusal(error: unknown): Refusal | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  if (code === LEAVING_SQLSTATES.readOnly) return readOnly(message ?? "");
  return code === LEAVING_SQLSTATES.moved ? moved(message ?? "") : undefined;
}

/** The refusal of a write while a vault moves. In: the new place, empty where it has just arrived here. */
export function readOnly(place: string): Refusal {
  const why = place === "" ? "has arrived here, and the registry does not name it yet" : `moves to ${place}`;
  const message = `The vault ${why}, so it takes no writes. Try again in ${RETRY_AFTER_SECONDS} seconds.`;
  return refusalForNow("VAULT_READ_ONLY", message, RETRY_AFTER_SECONDS);
}

/** The refusal of a vault that has moved. In: the new place. */
export function moved(place: string): Refusal {
  return refusal("VAULT_MOVED", `The vault has moved to ${place}. Resolve the eName at the registry again.`);
}
