import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { type MetaEnvelopeFilterInput, readFilter } from "../../meta-envelopes/meta-envelope-filter.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { listMetaEnvelopes } from "../../store/meta-envelope-list.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { ontologiesOf } from "./list-meta-envelopes.ts";
import { loadWithin } from "./load-within.ts";

/**
 * Lists all MetaEnvelopes that the caller may read under a filter, without pages, for the old operations.
 *
 * Refuses: UNAUTHENTICATED, BAD_USER_INPUT, INVALID_TEXT, BUSY; RESULT_TOO_LARGE above the limit of rows or bytes,
 * since a truncated list would look complete. Source: S1 "Legacy operations"; decisions V13, V25.
 */
export async function listAllMetaEnvelopes(
  { reads: { database, guard, budget }, unpagedCap }: Pick<OperationDeps, "reads" | "unpagedCap">,
  caller: Caller,
  filterInput: MetaEnvelopeFilterInput,
): Promise<readonly VisibleMetaEnvelope[]> {
  assertAuthenticated(caller);
  const filter = readFilter(filterInput);
  return budget.run(async () => {
    const listing = { owner: caller.owner, scope: await guard.readScope(caller), filter };
    const stretch = { rowLimit: unpagedCap + 1, direction: "forward", behind: undefined } as const;
    const found = await loadWithin(budget, (mostBytes) =>
      listMetaEnvelopes(database, listing, { ...stretch, mostBytes }),
    );
    if (found.length > unpagedCap) throw tooMany(unpagedCap);
    await guard.noteAccess(caller, "read", ontologiesOf(found));
    return found;
  });
}

function tooMany(cap: number) {
  return refusal("RESULT_TOO_LARGE", `This list is longer than ${cap}; read it in pages with metaEnvelopes.`);
}
