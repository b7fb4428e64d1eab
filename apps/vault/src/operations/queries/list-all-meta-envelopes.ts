import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { type MetaEnvelopeFilterInput, readFilter } from "../../meta-envelopes/meta-envelope-filter.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { listMetaEnvelopes } from "../../store/meta-envelope-list.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";

const ROWS_AT_ONCE = 500;

/**
 * Lists all MetaEnvelopes that the caller may read under a filter, without pages, for the old operations.
 *
 * Refuses: UNAUTHENTICATED, BAD_USER_INPUT, INVALID_TEXT; RESULT_TOO_LARGE over the cap, since a list that is cut would pass
 * for a whole one. Source: S1 "Legacy operations"; decision V13.
 */
export async function listAllMetaEnvelopes(
  { database, guard, unpagedCap }: Pick<ReadDeps, "database" | "guard"> & { readonly unpagedCap: number },
  caller: Caller,
  filterInput: MetaEnvelopeFilterInput,
): Promise<readonly VisibleMetaEnvelope[]> {
  assertAuthenticated(caller);
  const scope = await guard.readScope(caller);
  const listing = { owner: caller.owner, scope, filter: readFilter(filterInput) };
  const found: VisibleMetaEnvelope[] = [];
  for (let more = true; more; ) {
    const stretch = { rowLimit: ROWS_AT_ONCE, direction: "forward", behind: found.at(-1) } as const;
    const rows = await listMetaEnvelopes(database, listing, stretch);
    found.push(...rows);
    if (found.length > unpagedCap) throw tooMany(unpagedCap);
    more = rows.length === ROWS_AT_ONCE;
  }
  return found;
}

function tooMany(cap: number) {
  return refusal("RESULT_TOO_LARGE", `This list is longer than ${cap}; read it in pages with metaEnvelopes.`);
}
