import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { insertSpentToken, isSpentToken } from "../store/spent-token-rows.ts";
import type { Identified } from "./identify-consumer.ts";

/** Who asks, as far as it matters to a write: by a wallet token, which serves one, or by something else. */
export type Writer = Pick<Identified, "tokenUse">;

/**
 * Runs a write in one transaction that spends the wallet token which asks for it, so that of two requests with one token a
 * single one writes, and a write that is refused leaves the token as it was.
 *
 * Refuses: TOKEN_SPENT, and what `write` refuses. Source: decision I6.
 */
export function writeOnce<T>(
  database: Database,
  writer: Writer,
  write: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await spendToken(transaction, writer);
    return write(transaction);
  });
}

/**
 * Spends the wallet token of a request; an API key serves any number of writes. Alone it is for what no transaction holds, such
 * as sending: once all that could refuse the request has passed, and before anything is done.
 *
 * Refuses: TOKEN_SPENT. Source: decision I6.
 */
export async function spendToken(on: Queryable, { tokenUse }: Writer): Promise<void> {
  if (tokenUse === undefined || (await insertSpentToken(on, tokenUse))) return;
  throw tokenSpent();
}

/**
 * Refuses a request whose wallet token is spent already, before something is sent for it; the token stays as it is.
 *
 * Refuses: TOKEN_SPENT. Source: decision I6.
 */
export async function refuseSpentToken(on: Queryable, { tokenUse }: Writer): Promise<void> {
  if (tokenUse !== undefined && (await isSpentToken(on, tokenUse))) throw tokenSpent();
}

function tokenSpent(): Refusal {
  return awarenessRefusal(
    "TOKEN_SPENT",
    "This wallet token has served its one writing request; have the wallet issue a new one.",
  );
}
