import { createHash } from "node:crypto";
import { registryRefusal } from "../errors.ts";

/** The requested part of the list: at most `limit` registrations, after the one whose id is `afterId`. */
export interface ListPage {
  readonly limit: number;
  readonly afterId: number;
}

const MAX_LIMIT = 1000;
const LARGEST_DIGITS = 15;

/**
 * Reads the page arguments of a query string: without `limit` the longest page, without `cursor` the first.
 *
 * Refuses: BAD_REQUEST for a limit that is not a whole number above 0 (one above 1,000 counts as 1,000); BAD_CURSOR.
 * Source: decision X2.
 */
export function readListPage(query: Readonly<Record<string, unknown>>): ListPage {
  const { limit, cursor } = query as { readonly limit?: unknown; readonly cursor?: unknown };
  if (limit !== undefined && (typeof limit !== "string" || !/^[1-9]\d{0,14}$/.test(limit))) {
    throw registryRefusal("BAD_REQUEST", `Give limit as a whole number from 1 to ${MAX_LIMIT}.`);
  }
  return {
    limit: limit === undefined ? MAX_LIMIT : Math.min(Number(limit), MAX_LIMIT),
    afterId: cursor === undefined ? 0 : cursorToId(cursor),
  };
}

/**
 * Writes the cursor of the page after a registration.
 *
 * Out: URL-safe text. Its check digits detect a damaged or foreign cursor, no more: the list is public, so there is
 * nothing to forge. Refuses: never. Source: decision X2.
 */
export function idToCursor(id: number): string {
  return Buffer.from(`${id}.${checkDigits(id)}`).toString("base64url");
}

function cursorToId(cursor: unknown): number {
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString("latin1") : "";
  const id = Number(text.slice(0, LARGEST_DIGITS + 1).split(".")[0]);
  if (!Number.isSafeInteger(id) || idToCursor(id) !== cursor) {
    throw registryRefusal("BAD_CURSOR", "This cursor is not one of this list; start again without a cursor.");
  }
  return id;
}

function checkDigits(id: number): string {
  return createHash("sha256").update(`registry list ${id}`).digest("hex").slice(0, 12);
}
