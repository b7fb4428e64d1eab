import { invalidAnswer } from "./read-answer.ts";
import type { PageInfo } from "./vault-schema.ts";

/** One page of a list. */
export interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: PageInfo;
}

/** Which page: the first, or the one beyond a cursor. */
export type PageArguments =
  | { readonly first: number; readonly after?: string }
  | { readonly last: number; readonly before?: string };

/** How a list is read. */
export interface PageOptions {
  /** Nodes in one request: 1 to 100; 50 when absent. */
  readonly pageSize?: number | undefined;
  /** Begins at the other end of the list. */
  readonly backward?: boolean;
}

const PAGE_SIZE = 50;

/**
 * Goes through a list page by page. One page is in memory at a time, and the next is asked for when this one is used up.
 *
 * Refuses: what `readPage` refuses; INVALID_ANSWER for an answer that is not a page, and for a list that does not go on.
 * Source: S1 "Pagination"; decision V3.
 */
export async function* eachNode<Node>(
  readPage: (page: PageArguments) => Promise<Connection<Node>>,
  { pageSize = PAGE_SIZE, backward = false }: PageOptions = {},
): AsyncGenerator<Node, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { edges, pageInfo } = assertConnection(await readPage(pageArguments(pageSize, backward, cursor)));
    const nodes = edges.map(({ node }) => node);
    yield* backward ? nodes.reverse() : nodes;
    const hasMore = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
    if (!hasMore) return;
    const next = backward ? pageInfo.startCursor : pageInfo.endCursor;
    // Else a faulty vault would be asked for the same page forever.
    if (next === null || next === cursor || nodes.length === 0) throw invalidAnswer("The vault's list does not go on.");
    cursor = next;
  }
}

function pageArguments(pageSize: number, backward: boolean, cursor: string | undefined): PageArguments {
  if (backward) return cursor === undefined ? { last: pageSize } : { last: pageSize, before: cursor };
  return cursor === undefined ? { first: pageSize } : { first: pageSize, after: cursor };
}

function assertConnection<Node>(page: Connection<Node>): Connection<Node> {
  if (Array.isArray(page?.edges) && typeof page.pageInfo === "object" && page.pageInfo !== null) return page;
  throw invalidAnswer("The vault's answer is not a page of a list.");
}
