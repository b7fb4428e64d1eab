import type { EName } from "@dataspace/protocol/ename";
import type { BenchDatabase } from "./bench-server.ts";
import { one } from "./bench-server.ts";
import type { BenchVault } from "./bench-vault.ts";
import { pageRequest, readRequest, type VaultRequest } from "./graphql-requests.ts";
import { SEARCH_TERMS } from "./load-records.ts";
import { SAMPLE_ONTOLOGIES } from "./sample-records.ts";

/** An owner of many or few MetaEnvelopes with the vault that serves it. */
export interface Shelf {
  readonly count: number;
  readonly database: BenchDatabase;
  readonly vault: BenchVault;
  readonly owner: EName;
}

const PAGE = 50;
const READS = 500;
const LONGEST_PAGE = 100;
const END_OF_PAGE =
  "query End($filter: MetaEnvelopeFilterInput, $first: Int, $after: String) { metaEnvelopes(filter: $filter, first: $first, after: $after) { pageInfo { endCursor } } }";
/** No sample text holds these two letters beside each other. */
const SHORT_TERM = "zq";

/** The reads whose time must not grow with the number of MetaEnvelopes, by name; each name has one or more requests. */
export async function scaleRequests(shelf: Shelf): Promise<ReadonlyMap<string, readonly VaultRequest[]>> {
  const { database, owner } = shelf;
  const { rows } = await database.query<{ id: string }>({
    text: "select id from meta_envelope where owner = $1 order by md5(id) limit $2::int",
    values: [owner, READS],
  });
  const filter = { ontologyId: SAMPLE_ONTOLOGIES[0] };
  const middle = await middleCursor(shelf, filter);
  const page = (variables: object, counted = false) => [pageRequest(owner, variables, counted)];
  const search = (term: string) => page({ filter: { search: { term } }, first: PAGE });
  return new Map([
    ["read by id", rows.map(({ id }) => readRequest(owner, id))],
    ["first page", page({ filter, first: PAGE })],
    ["page after the middle", page({ filter, first: PAGE, after: middle })],
    ["page before the middle", page({ filter, last: PAGE, before: middle })],
    ["last page", page({ filter, last: PAGE })],
    ["first page with totalCount", page({ filter, first: PAGE }, true)],
    ["search, selective term", search(SEARCH_TERMS.selective)],
    ["search, absent term", search(SEARCH_TERMS.absent)],
    ["search, very common term", search(SEARCH_TERMS.common)],
    ["search, absent term of 2 letters", search(SHORT_TERM)],
  ]);
}

/** How long PostgreSQL takes to look through all search texts of an owner for a term of two letters, in milliseconds. */
export async function plainScanMs({ database, owner }: Shelf): Promise<number> {
  const startMs = performance.now();
  await one(
    database,
    "select count(*) from meta_envelope where owner = $1 and not removed and position($2 in search) > 0",
    [owner, SHORT_TERM],
  );
  return performance.now() - startMs;
}

/** A cursor in the middle of a list, reached as a client does: page by page, asking for nothing but where each ends. */
async function middleCursor(
  { database, vault, owner }: Shelf,
  filter: { readonly ontologyId: string },
): Promise<string> {
  const { count } = await one<{ count: number }>(
    database,
    "select count(*) as count from meta_envelope where owner = $1 and ontology = $2 and not removed",
    [owner, filter.ontologyId],
  );
  let cursor: string | null = null;
  for (let passed = 0; passed < count / 2; passed += LONGEST_PAGE) {
    const request = { query: END_OF_PAGE, variables: { filter, first: LONGEST_PAGE, after: cursor } };
    type Page = { metaEnvelopes: { pageInfo: { endCursor: string } } };
    const page: Page = await vault.ask<Page>(owner, request);
    cursor = page.metaEnvelopes.pageInfo.endCursor;
  }
  if (cursor === null) throw new Error("the list is empty");
  return cursor;
}
