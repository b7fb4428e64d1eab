import { refusal } from "../errors.ts";

/** A query as it came. */
export type PageQuery = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads which page a query asks for, by `limit` and `cursor`.
 *
 * Out: NaN for a limit other than a whole number. Refuses: BAD_CURSOR for a cursor that was sent more than once.
 */
export function readPageQuery(query: PageQuery): {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
} {
  return { limit: readNumber(query["limit"]), cursor: readText(query["cursor"]) };
}

function readNumber(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined;
  return typeof text === "string" && /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function readText(text: string | string[] | undefined): string | undefined {
  if (Array.isArray(text)) throw refusal("BAD_CURSOR", "The parameter cursor was sent more than once; send it once.");
  return text;
}
