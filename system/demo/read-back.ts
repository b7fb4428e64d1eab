import { isDeepStrictEqual } from "node:util";
import type { GraphQLConnection } from "./graphql-connection.ts";
import type { Progress } from "./progress.ts";
import type { WrittenSet } from "./write-records.ts";

/** The result of reading a set back: records that came back equal, and those that did not. */
export interface ReadBack {
  readonly equal: number;
  /** Came back, but differs from what was written. */
  readonly different: number;
  /** Was written and did not come back, or came back twice, or was never written. */
  readonly astray: number;
  readonly totalCount: number;
}

interface Page {
  readonly metaEnvelopes: {
    readonly totalCount?: number;
    readonly edges: readonly { readonly node: { readonly id: string; readonly parsed: unknown } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const PAGE_SIZE = 100;
const PAGE = `query Page($ontology: ID!, $first: Int!, $after: String) {
  metaEnvelopes(filter: { ontologyId: $ontology }, first: $first, after: $after) {
    edges { node { id parsed } } pageInfo { hasNextPage endCursor }
  }
}`;
const COUNT = `query Count($ontology: ID!) { metaEnvelopes(filter: { ontologyId: $ontology }, first: 1) {
  totalCount edges { node { id parsed } } pageInfo { hasNextPage endCursor }
} }`;

/**
 * Reads a set back page by page and compares every payload with what was written, in any order.
 *
 * Refuses: an Error with the vault's refusal; AbortError. Source: decision V7 (payloads come back unchanged).
 */
export async function readBack(
  deps: { readonly connection: GraphQLConnection; readonly progress: Progress },
  written: WrittenSet,
): Promise<ReadBack> {
  const { set, access, indexById } = written;
  const expected = new Map(indexById);
  const ask = (query: string, more: object): Promise<Page> =>
    deps.connection.ask<Page>({ ...access, query, variables: { ontology: set.ontology, ...more } });
  const counted = await ask(COUNT, {});
  let equal = 0;
  let different = 0;
  let astray = 0;
  let after: string | null = null;
  do {
    const { edges, pageInfo }: Page["metaEnvelopes"] = (await ask(PAGE, { first: PAGE_SIZE, after })).metaEnvelopes;
    for (const { node } of edges) {
      const index = expected.get(node.id);
      expected.delete(node.id);
      if (index === undefined) astray += 1;
      else if (isDeepStrictEqual(node.parsed, set.records[index])) equal += 1;
      else different += 1;
    }
    deps.progress.add(edges.length);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return { equal, different, astray: astray + expected.size, totalCount: counted.metaEnvelopes.totalCount ?? 0 };
}
