import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { type Erasure, findErasure, forgetErasure, listErasures } from "../store/erase-rows.ts";
import { createRunInParts } from "./in-parts.ts";

/** Tells the awareness service of an erasure. Refuses: rejects where the service does not confirm it. */
export type ReportErasure = (erasure: Erasure) => Promise<void>;

/** What reports need. */
export interface ReportDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

const FAILED = "the awareness service has not confirmed an erasure; it will be notified again";
/** Longer than an event that was claimed before the erasure may be under way. */
const SETTLED_MS = 60_000;

/**
 * Makes runs that tell the awareness service of the erasures that it has not confirmed for good. Each is repeated until a minute
 * after it, since an event may have been under way. Without an awareness service there is nothing to tell.
 *
 * Out of a run: how many are confirmed for good. Refuses: the database's errors. Source: decision V18.
 */
export function createReportErasures(
  { database, clock, log }: ReportDeps,
  report: ReportErasure | undefined,
): () => Promise<number> {
  return createRunInParts<Erasure>({
    list: (after, atMost) => listErasures(database, { after, atMost }),
    work: async (erasure) => {
      await report?.(erasure);
      if (report !== undefined && Date.parse(erasure.before) > clock.nowMs() - SETTLED_MS) return false;
      await forgetErasure(database, erasure);
      return true;
    },
    log,
    failed: FAILED,
  });
}

/**
 * Tells the awareness service of one erasure at once; the runs repeat it. In: `id`, empty for the whole vault. Refuses: never; a
 * failure is logged. Source: decision V18.
 */
export async function reportAtOnce(
  { database, log }: ReportDeps,
  report: ReportErasure | undefined,
  erased: Pick<Erasure, "owner" | "id">,
): Promise<void> {
  try {
    const erasure = await findErasure(database, erased);
    if (erasure !== undefined) await report?.(erasure);
  } catch (error) {
    log.warn({ err: error }, FAILED);
  }
}
