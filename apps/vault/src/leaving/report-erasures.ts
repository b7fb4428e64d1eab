import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { type Erasure, forgetErasure, listErasures } from "../store/erase-rows.ts";

/** Tells the awareness service of an erasure. Refuses: rejects where the service does not confirm it. */
export type ReportErasure = (erasure: Erasure) => Promise<void>;

const AT_ONCE = 100;
/** Longer than an event that was claimed before the erasure may be under way. */
const SETTLED_MS = 60_000;

/**
 * Tells the awareness service of the erasures that it has not confirmed for good. Each is repeated until a minute after it,
 * since an event may have been under way. Without an awareness service there is nothing to tell.
 *
 * Out: how many are confirmed for good. Refuses: as `report` does. Source: decision V18.
 */
export async function reportErasures(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  report: ReportErasure | undefined,
): Promise<number> {
  let settled = 0;
  for (const erasure of await listErasures(database, AT_ONCE)) {
    await report?.(erasure);
    if (report !== undefined && Date.parse(erasure.before) > clock.nowMs() - SETTLED_MS) continue;
    await forgetErasure(database, erasure);
    settled += 1;
  }
  return settled;
}
