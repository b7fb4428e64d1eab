import type { Queryable } from "./database.ts";
import { deleteExpired } from "./delete-expired.ts";

/** The one writing request of a wallet token: its issuer and id, and when it expires (ISO 8601). Source: decision I6. */
export interface TokenToSpend {
  readonly token: string;
  readonly expiresAt: string;
}

/** The spent wallet tokens of a service. */
export interface SpentTokens {
  /** Spends a token. It waits for a transaction that is spending the same one. Out: false when it was already spent. */
  readonly spend: (on: Queryable, use: TokenToSpend) => Promise<boolean>;
  /** Checks whether a token is spent. One that another transaction is spending is not. */
  readonly isSpent: (on: Queryable, use: Pick<TokenToSpend, "token">) => Promise<boolean>;
  /** Deletes spent tokens that have expired, at most 10,000 at a time. Out: how many. */
  readonly sweep: (database: Queryable, nowMs: number) => Promise<number>;
}

/** Longer than two clocks differ: a token is refused by its own times well before it is deleted here. */
const GRACE_MS = 600_000;
const MOST_AT_ONCE = 10_000;

/**
 * Makes the spent tokens of a table with `token` (its primary key) and `expires_at`.
 *
 * In: the table's name, which is written into SQL as it is. Refuses: the database's errors. Source: decision I6.
 */
export function createSpentTokens(table: string): SpentTokens {
  return {
    spend: async (on, { token, expiresAt }) => {
      const text = `insert into ${table} (token, expires_at) values ($1, $2::timestamptz) on conflict do nothing`;
      const { rowCount } = await on.query({ name: `${table}:spend`, text, values: [token, expiresAt] });
      return rowCount === 1;
    },
    isSpent: async (on, { token }) => {
      const text = `select from ${table} where token = $1`;
      return (await on.query({ name: `${table}:is-spent`, text, values: [token] })).rowCount === 1;
    },
    sweep: (database, nowMs) =>
      deleteExpired(database, { table, before: new Date(nowMs - GRACE_MS).toISOString(), atMost: MOST_AT_ONCE }),
  };
}
