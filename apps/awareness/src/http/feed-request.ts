import { z } from "zod";
import type { EName } from "@dataspace/protocol/ename";
import { awarenessRefusal } from "../errors.ts";
import type { FeedRequest } from "../feed/read-feed.ts";
import { eNameInput, queryNumber, readInput } from "../read-input.ts";

interface FeedQuery {
  readonly cursor?: number | undefined;
  readonly limit: number;
  readonly ontology: readonly string[];
  readonly vault: readonly EName[];
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const MAX_FILTER = 100;

const position = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
/** What a query may ask of the feed. Source: decision E7. */
export const feedQuery: z.ZodType<FeedQuery> = z.strictObject({
  cursor: position.optional().describe("A place in the feed, from an answer of it: what comes after is wanted."),
  limit: queryNumber(
    z
      .int()
      .min(1)
      .default(DEFAULT_LIMIT)
      .transform((limit) => Math.min(limit, MAX_LIMIT)),
  ).describe(`How many events at most; more than ${MAX_LIMIT} counts as ${MAX_LIMIT}.`),
  ontology: listOf(z.string().min(1)).describe("Events of this ontology; repeat it for several. None: of all."),
  vault: listOf(eNameInput).describe("Events of this owner, by eName; repeat it for several. None: of all."),
});

/**
 * Reads which part of the feed a query asks for; `after` is undefined without a cursor.
 *
 * Refuses: BAD_REQUEST, BAD_CURSOR. Source: decision E7.
 */
export function readFeedRequest(query: unknown): Omit<FeedRequest, "after"> & { readonly after: number | undefined } {
  const { cursor } = query as { readonly cursor?: unknown };
  if (cursor !== undefined) readPosition(cursor);
  const { cursor: after, limit, ontology: ontologyFilter, vault: vaultFilter } = readInput(feedQuery, query);
  return { after, limit, ontologyFilter, vaultFilter };
}

/** Reads a place in the feed, as a cursor or a Last-Event-ID has it. Refuses: BAD_CURSOR. */
export function readPosition(text: unknown): number {
  const parsed = position.safeParse(text);
  if (parsed.success) return parsed.data;
  throw awarenessRefusal("BAD_CURSOR", "This cursor is not of this feed; take one from its answers.");
}

/** A parameter that may come several times, or not at all. */
function listOf<Output>(item: z.ZodType<Output>): z.ZodType<readonly Output[]> {
  const list = z.array(item).max(MAX_FILTER).default([]);
  return z.preprocess((value) => (value === undefined ? value : [value].flat()), list);
}
