import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { invalidToken } from "../caller/bearer-token.ts";
import { refusal } from "../errors.ts";
import { type OwnerKey, spendToken } from "../store/key-rows.ts";
import { spendRecoveryCode } from "../store/recovery-code-rows.ts";
import type { KeyChangeRight } from "./authorize-key-change.ts";

/** The keys in force before a change, under the key log's lock, and the time of the change (ISO 8601). */
export interface KeyLogState {
  readonly keys: readonly OwnerKey[];
  readonly at: string;
}

/**
 * Uses up a right to change keys, within the transaction of the change: a wallet token and a recovery code are valid
 * once, the service token until the first key. If the change is refused afterwards, this rolls back too.
 *
 * Refuses: TOKEN_SPENT, INVALID_TOKEN (401). Source: decision I6.
 */
export async function spendRight(
  transaction: Queryable,
  right: KeyChangeRight,
  { keys, at }: KeyLogState,
): Promise<void> {
  switch (right.by) {
    case "wallet-token":
      if (await spendToken(transaction, right)) return;
      throw refusal(
        "TOKEN_SPENT",
        "This wallet token has served its one writing request; have the wallet issue a new one.",
        "Authorization",
      );
    case "service-token":
      if (keys.length === 0) return;
      throw invalidToken("The service token adds the first key only; this owner has one.");
    case "recovery-code":
      if (await spendRecoveryCode(transaction, { ...right, at })) return;
      throw invalidToken("This recovery code has been used; ask the operator for a new one.");
  }
}

/** The author of a change in the key log. */
export function keyChangeAuthor(right: KeyChangeRight): string {
  return right.by === "wallet-token" ? right.owner : right.by;
}
