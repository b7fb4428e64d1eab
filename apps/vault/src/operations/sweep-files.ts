import type { Clock } from "@dataspace/service-kit/clock";
import { listAbandonedFiles } from "../store/stored-file-rows.ts";
import { type DiscardDeps, discardFile } from "./discard-file.ts";

/** The age at which an upload counts as abandoned: far longer than any request takes. */
const GRACE_MS = 3_600_000;
const MOST_AT_ONCE = 1_000;

/**
 * Deletes the blobs of uploads that a crash interrupted, an hour after they began.
 *
 * Out: how many. Refuses: the database's errors. Source: decision V15.
 */
export async function sweepFiles(deps: DiscardDeps & { readonly clock: Clock }): Promise<number> {
  const before = new Date(deps.clock.nowMs() - GRACE_MS).toISOString();
  let swept = 0;
  for (const file of await listAbandonedFiles(deps.reservations, before, MOST_AT_ONCE)) {
    // A store that does not answer now will not answer for the next file either.
    if (!(await discardFile(deps, file))) break;
    swept += 1;
  }
  return swept;
}
