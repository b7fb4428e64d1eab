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

/** The shelves of one comparison. */
export interface Shelves {
  readonly few: Shelf;
  readonly many: Shelf;
}

/** What is read, as it is named in the report. */
export const READS = {
  byId: "read by id",
  firstPage: "first page",
  afterMiddle: "page after the middle",
  beforeMiddle: "page before the middle",
  lastPage: "last page",
  counted: "first page with totalCount",
  selective: "search, selective term",
  absent: "search, absent term",
  common: "search, very common term",
  shortTerm: "search, absent term of 2 letters",
} as const;

/** The name of a read. */
export type ReadName = (typeof READS)[keyof typeof READS];

const SCAN = "select count(*) from meta_envelope where owner = $1 and not removed and position($2 in search) > 0";
const PAGE = 50;
const READ_IDS = 500;
const LONGEST_PAGE = 100;
const END_OF_PAGE =
  "query End($filter: MetaEnvelopeFilterInput, $first: Int, $after: String) { metaEnvelopes(filter: $filter, first: $first, after: $after) { pageInfo { endCursor } } }";
/** No sample text holds these two letters beside each other. */
const SHORT_TERM = "zq";

/** The reads whose time must not grow with the number of MetaEnvelopes, by name; each name has one or more requests. */
export async function scaleRequests(shelf: Shelf): Promise<ReadonlyMap<ReadName, readonly VaultRequest[]>> {
  const { database, owner } = shelf;
  const { rows } = await database.query<{ id: string }>({
    text: "select id from meta_envelope where owner = $1 order by md5(id) limit $2::int",
    values: [owner, READ_IDS],
  });
  const filter = { ontologyId: SAMPLE_ONTOLOGIES[0] };
  const middle = await middleCursor(shelf, filter);
  const page = (variables: object, counted = false) => [pageRequest(owner, variables, counted)];
  const search = (term: string) => page({ filter: { search: { term } }, first: PAGE });
  return new Map<ReadName, readonly VaultRequest[]>([
    [READS.byId, rows.map(({ id }) => readRequest(owner, id))],
    [READS.firstPage, page({ filter, first: PAGE })],
    [READS.afterMiddle, page({ filter, first: PAGE, after: middle })],
    [READS.beforeMiddle, page({ filter, last: PAGE, before: middle })],
    [READS.lastPage, page({ filter, last: PAGE })],
    [READS.counted, page({ filter, first: PAGE }, true)],
    [READS.selective, search(SEARCH_TERMS.selective)],
    [READS.absent, search(SEARCH_TERMS.absent)],
    [READS.common, search(SEARCH_TERMS.common)],
    [READS.shortTerm, search(SHORT_TERM)],
  ]);
}

/**
 * How long PostgreSQL takes to search all search texts of an owner for a term of two letters, in milliseconds. It runs
 * in one process, as for a page, which must come in order, or in as many as PostgreSQL chooses.
 */
export async function plainScanMs({ database, owner }: Shelf, processes: "one" | "any"): Promise<number> {
  return database.transaction(async (transaction) => {
    if (processes === "one")
      await transaction.query({ text: "set local max_parallel_workers_per_gather = 0", values: [] });
    const startMs = performance.now();
    await transaction.query({ text: SCAN, values: [owner, SHORT_TERM] });
    return performance.now() - startMs;
  });
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
