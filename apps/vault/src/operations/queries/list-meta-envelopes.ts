import type { Caller } from "../../caller/caller.ts";
import {
  type MetaEnvelopeFilter,
  type MetaEnvelopeFilterInput,
  readFilter,
} from "../../meta-envelopes/meta-envelope-filter.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { type Connection, toConnection } from "../../paging/connection.ts";
import { type PageArguments, readPageArguments } from "../../paging/page-request.ts";
import { countMetaEnvelopes, listMetaEnvelopes } from "../../store/meta-envelope-list.ts";
import type { CreationPlace } from "../../store/meta-envelope-listing.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";
import { loadWithin } from "./load-within.ts";

/** The arguments for a page of MetaEnvelopes, as GraphQL has them. */
export interface MetaEnvelopesArguments extends PageArguments {
  readonly filter?: MetaEnvelopeFilterInput | null;
}

/**
 * Lists the MetaEnvelopes that the caller may read under a filter, oldest first.
 *
 * Refuses: UNAUTHENTICATED, INVALID_PAGINATION, BAD_CURSOR, BAD_USER_INPUT, INVALID_TEXT, RESULT_TOO_LARGE, BUSY.
 * Source: S1 "metaEnvelopes"; decisions V3, V13, V25.
 */
export async function listVisibleMetaEnvelopes(
  deps: ReadDeps,
  caller: Caller,
  args: MetaEnvelopesArguments,
): Promise<Connection<VisibleMetaEnvelope>> {
  return listFiltered(deps, caller, { name: "metaEnvelopes", filter: readFilter(args.filter), args });
}

/**
 * A page of a list of MetaEnvelopes: its name, which distinguishes its cursors from those of other lists, and its
 * filter.
 */
export interface FilteredList {
  readonly name: string;
  readonly filter: MetaEnvelopeFilter;
  readonly args: PageArguments;
}

/** Lists what the caller may read under a filter. Refuses: UNAUTHENTICATED, INVALID_PAGINATION, BAD_CURSOR, RESULT_TOO_LARGE, BUSY. */
export async function listFiltered(
  { database, cursors, guard, budget }: Omit<ReadDeps, "loadMetaEnvelope">,
  caller: Caller,
  { name, filter, args }: FilteredList,
): Promise<Connection<VisibleMetaEnvelope>> {
  assertAuthenticated(caller);
  const request = readPageArguments(args);
  const list = `${name} ${caller.owner} ${JSON.stringify(filter)}`;
  const stretch = {
    rowLimit: request.limit + 1,
    direction: request.direction,
    behind: request.cursor === undefined ? undefined : textToPlace(cursors.open(list, request.cursor)),
  };
  const { listing, rows } = await budget.run(async () => {
    const listing = { owner: caller.owner, scope: await guard.readScope(caller), filter };
    const read = (mostBytes: number) => listMetaEnvelopes(database, listing, { ...stretch, mostBytes });
    return { listing, rows: await loadWithin(budget, read) };
  });
  await guard.noteAccess(caller, "read", ontologiesOf(rows));
  return toConnection(cursors, {
    list,
    request,
    rows,
    toNode: (row) => row,
    toPlace: ({ ord, id }) => `${ord} ${id}`,
    totalCount: () => budget.run(() => countMetaEnvelopes(database, listing)),
  });
}

/** The ontologies of some rows, each once. */
export function ontologiesOf(rows: readonly { readonly ontology: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ ontology }) => ontology));
}

function textToPlace(text: string): CreationPlace {
  const space = text.indexOf(" ");
  return { ord: Number(text.slice(0, space)), id: text.slice(space + 1) };
}
