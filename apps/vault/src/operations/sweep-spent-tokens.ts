import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { deleteExpiredTokens } from "../store/spent-token-rows.ts";

/** Longer than two clocks differ: a token is expired well before it is deleted here. */
const GRACE_MS = 600_000;
const MOST_AT_ONCE = 10_000;

/**
 * Deletes spent wallet tokens that have expired. Out: how many. Refuses: the database's errors. Source: decision I6.
 */
export function sweepSpentTokens(deps: { readonly database: Queryable; readonly clock: Clock }): Promise<number> {
  return deleteExpiredTokens(deps.database, new Date(deps.clock.nowMs() - GRACE_MS).toISOString(), MOST_AT_ONCE);
}
