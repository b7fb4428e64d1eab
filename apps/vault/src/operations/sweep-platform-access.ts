import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { deleteOldAccess } from "../store/platform-access-rows.ts";

const MOST_AT_ONCE = 10_000;

/** Forgets platforms' accesses after 400 days. Out: how many rows. Refuses: the database's errors. */
export function sweepPlatformAccess(deps: { readonly database: Queryable; readonly clock: Clock }): Promise<number> {
  return deleteOldAccess(deps.database, new Date(deps.clock.nowMs()).toISOString(), MOST_AT_ONCE);
}
