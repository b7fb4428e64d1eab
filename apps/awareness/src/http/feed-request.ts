import { type EName, parseEName } from "@dataspace/protocol/ename";
import { awarenessRefusal } from "../errors.ts";
import type { FeedRequest } from "../feed/read-feed.ts";

type Query = Readonly<Record<string, unknown>>;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const MAX_FILTER = 100;
const KNOWN = new Set(["cursor", "limit", "ontology", "vault"]);

/**
 * Reads which part of the feed a query asks for; `after` is undefined without a cursor.
 *
 * In: `ontology` and `vault` may come several times. Refuses: BAD_REQUEST, BAD_CURSOR. Source: decision E7.
 */
export function readFeedRequest(query: unknown): Omit<FeedRequest, "after"> & { readonly after: number | undefined } {
  const given = query as Query;
  const unknown = Object.keys(given).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    throw awarenessRefusal("BAD_REQUEST", `There is no parameter ${JSON.stringify(unknown.slice(0, 64))}.`);
  }
  return {
    after: given["cursor"] === undefined ? undefined : readPosition(given["cursor"]),
    limit: readLimit(given["limit"]),
    ontologyFilter: readList(given, "ontology"),
    vaultFilter: readList(given, "vault").map(readEName),
  };
}

/** Reads a place in the feed, as a cursor or a Last-Event-ID has it. Refuses: BAD_CURSOR. */
export function readPosition(text: unknown): number {
  if (typeof text === "string" && /^\d{1,15}$/.test(text)) return Number(text);
  throw awarenessRefusal("BAD_CURSOR", "This cursor is not of this feed; take one from its answers.");
}

function readLimit(text: unknown): number {
  if (text === undefined) return DEFAULT_LIMIT;
  if (typeof text === "string" && /^[1-9]\d{0,8}$/.test(text)) return Math.min(Number(text), MAX_LIMIT);
  throw awarenessRefusal("BAD_REQUEST", "Give limit as a whole number, 1 or more.");
}

function readList(query: Query, name: string): readonly string[] {
  const values = [query[name] ?? []].flat() as readonly unknown[] as readonly string[];
  if (values.length <= MAX_FILTER && values.every((value) => value !== "")) return values;
  throw awarenessRefusal("BAD_REQUEST", `Give ${name} up to ${MAX_FILTER} times, each with a value.`);
}

function readEName(text: string): EName {
  try {
    return parseEName(text);
  } catch (error) {
    throw awarenessRefusal("BAD_REQUEST", (error as Error).message);
  }
}
