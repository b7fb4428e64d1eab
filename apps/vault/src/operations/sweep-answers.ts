import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { deleteExpiredAnswers } from "../store/idempotent-answers.ts";

/** Each may have 4 MiB. */
const MOST_AT_ONCE = 500;

/** Deletes answers to requests with an Idempotency-Key that are older than 24 hours. Out: how many. Refuses: the database's errors. Source: decision V20. */
export function sweepAnswers(deps: { readonly database: Queryable; readonly clock: Clock }): Promise<number> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  return deleteExpiredAnswers(deps.database, { now, atMost: MOST_AT_ONCE });
}
