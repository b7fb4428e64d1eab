import type { CursorSeal } from "./cursor.ts";
import type { PageRequest } from "./page-request.ts";

/** One item of a page with its cursor, which is computed only where it is selected. */
export interface Edge<Node> {
  readonly node: Node;
  readonly cursor: () => string;
}

/** A page as GraphQL shows it. */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: () => string | null;
    readonly endCursor: () => string | null;
  };
  /** Runs only when called, so a page whose count is not selected costs no count. */
  readonly totalCount: () => Promise<number> | number;
}

/** The parts of a connection: the list's name for its cursors, the requested page, and one row more than its limit. */
export interface ConnectionParts<Row, Node> {
  readonly list: string;
  readonly request: PageRequest;
  readonly rows: readonly Row[];
  readonly toNode: (row: Row) => Node;
  readonly toPlace: (row: Row) => string;
  readonly totalCount: () => Promise<number> | number;
}

/**
 * Makes a connection from rows in the page's direction, at most `limit + 1` of them: the extra row shows that there are
 * more. A backward page is reversed into the list's order.
 *
 * Source: S1 "Connection"; decision V3.
 */
export function toConnection<Row, Node>(seal: CursorSeal, parts: ConnectionParts<Row, Node>): Connection<Node> {
  const { list, request, rows, toNode, toPlace, totalCount } = parts;
  const more = rows.length > request.limit;
  const shown = more ? rows.slice(0, request.limit) : rows;
  const ordered = request.direction === "backward" ? shown.toReversed() : shown;
  const edges = ordered.map((row) => ({ node: toNode(row), cursor: () => seal.seal(list, toPlace(row)) }));
  const hasCursor = request.cursor !== undefined;
  return {
    edges,
    pageInfo: {
      hasNextPage: request.direction === "forward" ? more : hasCursor,
      hasPreviousPage: request.direction === "forward" ? hasCursor : more,
      startCursor: () => edges[0]?.cursor() ?? null,
      endCursor: () => edges.at(-1)?.cursor() ?? null,
    },
    totalCount,
  };
}
