import { refusal } from "../errors.ts";

/** The paging arguments as GraphQL has them; each may be absent or null. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/**
 * A requested page: how many items, which direction, and from which cursor (exclusive; undefined: from that direction's
 * start).
 */
export interface PageRequest {
  readonly limit: number;
  readonly direction: "forward" | "backward";
  readonly cursor: string | undefined;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * Reads paging arguments: 20 by default, more than 100 is 100, and one direction at a time.
 *
 * Refuses: INVALID_PAGINATION (0 or negative, mixed directions). Source: S1 "Pagination"; decision V3.
 */
export function readPageArguments({ first, after, last, before }: PageArguments): PageRequest {
  const forward = (first ?? after) != null;
  const backward = (last ?? before) != null;
  if (forward && backward) {
    throw refusal(
      "INVALID_PAGINATION",
      "Page forward with first and after, or backward with last and before, not both.",
    );
  }
  return {
    limit: readLimit(backward ? last : first, backward ? "last" : "first"),
    direction: backward ? "backward" : "forward",
    cursor: (backward ? before : after) ?? undefined,
  };
}

/** Reads the number of items. Refuses: INVALID_PAGINATION (not a positive whole number). Source: decision V3. */
export function readLimit(asked: number | null | undefined, field: string): number {
  if (asked == null) return DEFAULT_LIMIT;
  if (!Number.isInteger(asked) || asked < 1) throw refusal("INVALID_PAGINATION", `${field} is 1 or more.`, field);
  return Math.min(asked, MAX_LIMIT);
}
