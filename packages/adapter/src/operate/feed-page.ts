import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";

/** Where the feed of events is, and who asks. */
export interface Feed {
  readonly fetch: Fetch;
  readonly awarenessUrl: string;
  /** The value of `Authorization`, such as `Bearer <API key>`. */
  readonly authorization: string | undefined;
}

/** A page of the feed. `gap`: events between the cursor and this page are no longer there. */
export interface FeedPage {
  readonly packets: readonly unknown[];
  readonly cursor: string;
  readonly more: boolean;
  readonly gap: boolean;
}

const TIMEOUT_MS = 30_000;
/** A page has at most 4 MiB of bodies, and each event a few members more. */
const MAX_PAGE_BYTES = 8 * 1_048_576;

/**
 * Reads a page of the feed. A cursor that the feed does not know, such as of another service, begins at the start with a gap.
 *
 * Refuses: UpstreamError when the feed gives no page. Source: decision E7.
 */
export async function readFeedPage(feed: Feed, cursor: string | undefined): Promise<FeedPage> {
  try {
    return toPage(feed, await ask(feed, cursor));
  } catch (error) {
    if (cursor === undefined || !isBadCursor(error)) throw error;
    return { ...(await readFeedPage(feed, undefined)), gap: true };
  }
}

function toPage({ awarenessUrl }: Feed, answer: unknown): FeedPage {
  const page = (answer ?? {}) as Partial<FeedPage>;
  if (!Array.isArray(page.packets) || typeof page.cursor !== "string") {
    throw new UpstreamError("malformed", `${new URL(awarenessUrl).origin} is not the feed of an awareness service.`);
  }
  return { packets: page.packets, cursor: page.cursor, more: page.more === true, gap: page.gap === true };
}

function ask({ fetch, awarenessUrl, authorization }: Feed, cursor: string | undefined): Promise<unknown> {
  const url = new URL(`${awarenessUrl.replace(/\/$/, "")}/api/packets`);
  url.searchParams.set("limit", "100");
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  const headers = authorization === undefined ? {} : { authorization };
  return fetchJson(fetch, { url: url.href, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_PAGE_BYTES });
}

function isBadCursor(error: unknown): boolean {
  return error instanceof UpstreamError && error.refusal?.status === 400 && error.refusal.code === "BAD_CURSOR";
}
