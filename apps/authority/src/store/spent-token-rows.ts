import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { WalletTokenUse } from "@dataspace/protocol/wallet-token";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Longer than two clocks differ: a token is refused by its own times well before it is deleted here. */
const GRACE_MS = 600_000;
const MOST_AT_ONCE = 10_000;

/** Spends a wallet token in a transaction. Out: false when it was spent before. Source: decision I6. */
export async function spendToken(transaction: Queryable, { token, expiresAt }: WalletTokenUse): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: "spend-reviewer-token",
    text: "insert into spent_reviewer_token (token, expires_at) values ($1, $2::timestamptz) on conflict do nothing",
    values: [token, expiresAt],
  });
  return rowCount === 1;
}

/** Deletes spent wallet tokens that have expired, at most 10,000 at a time. Out: how many. Source: decision I6. */
export function sweepSpentTokens(database: Queryable, nowMs: number): Promise<number> {
  const before = new Date(nowMs - GRACE_MS).toISOString();
  return deleteExpired(database, { table: "spent_reviewer_token", before, atMost: MOST_AT_ONCE });
}
