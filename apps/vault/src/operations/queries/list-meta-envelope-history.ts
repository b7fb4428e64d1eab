import type { Caller } from "../../caller/caller.ts";
import type { Version } from "../../meta-envelopes/version.ts";
import { type Connection, toConnection } from "../../paging/connection.ts";
import { readPageArguments } from "../../paging/page-request.ts";
import { countVersions, listVersions } from "../../store/version-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";
import { readId } from "../read-id.ts";
import { ontologiesOf } from "./list-meta-envelopes.ts";
import { loadWithin } from "./load-within.ts";

/** The arguments for a page of one MetaEnvelope's versions, as GraphQL has them. */
export interface HistoryArguments {
  readonly id: string;
  readonly first?: number | null;
  readonly after?: string | null;
}

/**
 * Lists every version of a MetaEnvelope, newest first; for a removed one, its last policy decides. An evidence session
 * sees the versions of ontologies that it may reach.
 *
 * Out: an empty connection where there is none or the caller may not read it.
 * Refuses: UNAUTHENTICATED, INVALID_PAGINATION, BAD_CURSOR, INVALID_TEXT, RESULT_TOO_LARGE, BUSY.
 * Source: S1 "metaEnvelopeHistory"; decisions V3, V13, V25, A2.
 */
export async function listMetaEnvelopeHistory(
  { database, loadMetaEnvelope, cursors, guard, budget }: ReadDeps,
  caller: Caller,
  args: HistoryArguments,
): Promise<Connection<Version>> {
  assertAuthenticated(caller);
  const id = readId(args.id);
  const request = readPageArguments({ first: args.first ?? null, after: args.after ?? null });
  const list = `metaEnvelopeHistory ${caller.owner} ${id}`;
  const below = request.cursor === undefined ? undefined : Number(cursors.open(list, request.cursor));
  const found = await loadMetaEnvelope(caller.owner, id);
  const visible = found !== undefined && (await guard.permissionsOn(caller, found))("READ");
  const ontologies = (await guard.gatesOf(caller))?.reachable;
  const of = { owner: caller.owner, id, ontologies };
  const read = (mostBytes: number) => listVersions(database, of, { below, rowLimit: request.limit + 1, mostBytes });
  const rows = visible ? await budget.run(() => loadWithin(budget, read)) : [];
  await guard.noteAccess(caller, "read", ontologiesOf(rows));
  return toConnection(cursors, {
    list,
    request,
    rows,
    toNode: (row) => row,
    toPlace: (row) => String(row.version),
    totalCount: () => {
      if (!visible) return 0;
      // Versions are 1 to n without a gap, so the newest number is the count.
      return ontologies === undefined ? found.version : countVersions(database, { ...of, ontologies });
    },
  });
}
