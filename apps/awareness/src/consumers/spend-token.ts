import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { spentConsumerTokens } from "../store/spent-token-rows.ts";
import type { Identified } from "./identify-consumer.ts";

/** The credential of a write: a wallet token, which is valid for one, or another kind. */
export type Writer = Pick<Identified, "tokenUse">;

/**
 * Runs a write in one transaction that also spends its wallet token. Of two requests with one token only one writes,
 * and a refused write does not spend the token.
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
 * Spends the wallet token or the DPoP proof of a request; an API key is valid for any number of writes. Call it alone for effects outside
 * a transaction, such as sending: after all checks, and before the effect.
 *
 * Refuses: TOKEN_SPENT. Source: decision I6.
 */
export async function spendToken(on: Queryable, { tokenUse }: Writer): Promise<void> {
  if (tokenUse === undefined || (await spentConsumerTokens.spend(on, tokenUse))) return;
  throw tokenSpent();
}

/**
 * Refuses a request whose wallet token is already spent, before something is sent for it; does not spend the token.
 *
 * Refuses: TOKEN_SPENT. Source: decision I6.
 */
export async function refuseSpentToken(on: Queryable, { tokenUse }: Writer): Promise<void> {
  if (tokenUse !== undefined && (await spentConsumerTokens.isSpent(on, tokenUse))) throw tokenSpent();
}

function tokenSpent(): Refusal {
  return awarenessRefusal(
    "TOKEN_SPENT",
    "This wallet token or proof has served its one writing request; make a new one.",
  );
}
