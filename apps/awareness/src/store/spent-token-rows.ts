import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { WalletTokenUse } from "@dataspace/protocol/wallet-token";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Longer than two clocks differ: a token has expired well before it is deleted here. */
const GRACE_MS = 600_000;
const MOST_AT_ONCE = 10_000;

/**
 * Spends a wallet token. It waits for a transaction that is spending the same token. Out: false when it was already
 * spent.
 */
export async function insertSpentToken(on: Queryable, { token, expiresAt }: WalletTokenUse): Promise<boolean> {
  const { rowCount } = await on.query({
    name: "spend-token",
    text: "insert into spent_consumer_token (token, expires_at) values ($1, $2::timestamptz) on conflict do nothing",
    values: [token, expiresAt],
  });
  return rowCount === 1;
}

/** Checks whether a wallet token is spent. One that another transaction is spending is not. */
export async function isSpentToken(on: Queryable, { token }: WalletTokenUse): Promise<boolean> {
  const text = "select from spent_consumer_token where token = $1";
  return (await on.query({ name: "is-spent-token", text, values: [token] })).rowCount === 1;
}

/** Deletes spent wallet tokens that have expired, at most 10,000 at a time. Out: how many. Source: decision I6. */
export function sweepSpentTokens(database: Queryable, nowMs: number): Promise<number> {
  const before = new Date(nowMs - GRACE_MS).toISOString();
  return deleteExpired(database, { table: "spent_consumer_token", before, atMost: MOST_AT_ONCE });
}
