import { z } from "zod";
import type { EName } from "@dataspace/protocol/ename";
import { awarenessRefusal } from "../errors.ts";
import type { FeedRequest } from "../feed/read-feed.ts";
import { eNameInput, queryNumber, readInput, timeInput } from "../read-input.ts";

interface FeedQuery {
  readonly cursor?: number | undefined;
  readonly limit: number;
  readonly ontology: readonly string[];
  readonly vault: readonly EName[];
}

interface PageQuery extends FeedQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const MAX_FILTER = 100;
const MAX_ONTOLOGY_CHARACTERS = 256;

const position = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const ontology = z
  .string()
  .min(1)
  .max(MAX_ONTOLOGY_CHARACTERS)
  .refine((text) => text.isWellFormed() && !text.includes("\u0000"), "must be well-formed text");

const feedMembers = {
  cursor: position.optional().describe("A place in the feed, from an answer of it: what comes after is wanted."),
  limit: queryNumber(
    z
      .int()
      .min(1)
      .default(DEFAULT_LIMIT)
      .transform((limit) => Math.min(limit, MAX_LIMIT)),
  ).describe(`How many events at most; more than ${MAX_LIMIT} counts as ${MAX_LIMIT}.`),
  ontology: listOf(ontology).describe(
    "Events of this ontology. For several repeat it, or separate them by commas. None: of all.",
  ),
  vault: listOf(eNameInput).describe(
    "Events of this owner, by eName. For several repeat it, or separate them by commas. None: of all.",
  ),
};

/** The query of the feed's stream. Source: decision E7. */
export const feedQuery: z.ZodType<FeedQuery> = z.strictObject(feedMembers);

/** The query of the feed's pages. Source: decision E7. */
export const pageQuery: z.ZodType<PageQuery> = z.strictObject({
  ...feedMembers,
  from: timeInput.optional().describe("Events received at this time or later (ISO 8601, with its offset)."),
  to: timeInput.optional().describe("Events received at this time or earlier (ISO 8601, with its offset)."),
});

/** A part of the feed; `after` is undefined without a cursor. */
export type WantedFeed = Omit<FeedRequest, "after"> & { readonly after: number | undefined };

/** Reads the query of a stream. Refuses: BAD_REQUEST, BAD_CURSOR. Source: decision E7. */
export function readFeedRequest(query: unknown): WantedFeed {
  return readAs(feedQuery, query);
}

/** Reads the query of a page. Refuses: BAD_REQUEST, BAD_CURSOR. Source: decision E7. */
export function readPageRequest(query: unknown): WantedFeed {
  return readAs(pageQuery, query);
}

function readAs(schema: z.ZodType<PageQuery>, query: unknown): WantedFeed {
  const { cursor } = query as { readonly cursor?: unknown };
  if (cursor !== undefined) readPosition(cursor);
  const { cursor: after, limit, ontology: ontologyFilter, vault: vaultFilter, from, to } = readInput(schema, query);
  return { after, limit, ontologyFilter, vaultFilter, fromMs: from, toMs: to };
}

/** Parses a place in the feed, from a cursor or a Last-Event-ID. Refuses: BAD_CURSOR. */
export function readPosition(text: unknown): number {
  const parsed = position.safeParse(text);
  if (parsed.success) return parsed.data;
  throw awarenessRefusal("BAD_CURSOR", "This cursor is not of this feed; take one from its answers.");
}

/** A parameter that may occur several times, as a comma-separated list, or not at all. */
function listOf<Output>(item: z.ZodType<Output>): z.ZodType<readonly Output[]> {
  const list = z.array(item).max(MAX_FILTER).default([]);
  const split = (value: unknown): unknown => (typeof value === "string" ? value.split(",") : value);
  return z.preprocess((value) => (value === undefined ? value : [value].flat().flatMap(split)), list);
}
