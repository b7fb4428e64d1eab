/** Where the feed of events is, and who asks. */
export interface Feed {
  readonly fetch: typeof fetch;
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

/**
 * Reads a page of the feed. A cursor that the feed does not know, such as of another service, begins at the start with a gap.
 *
 * Refuses: Error when the feed gives no page. Source: decision E7.
 */
export async function readFeedPage(feed: Feed, cursor: string | undefined): Promise<FeedPage> {
  const response = await ask(feed, cursor);
  if (response.status === 400 && cursor !== undefined && (await isBadCursor(response)))
    return { ...(await readFeedPage(feed, undefined)), gap: true };
  const url = new URL(feed.awarenessUrl);
  if (!response.ok) throw new Error(`The awareness service at ${url.origin} answered ${response.status}.`);
  const page = (await response.json()) as Partial<FeedPage>;
  if (!Array.isArray(page.packets) || typeof page.cursor !== "string") {
    throw new Error(`${url.origin} is not the feed of an awareness service.`);
  }
  return { packets: page.packets, cursor: page.cursor, more: page.more === true, gap: page.gap === true };
}

function ask({ fetch, awarenessUrl, authorization }: Feed, cursor: string | undefined): Promise<Response> {
  const url = new URL(`${awarenessUrl.replace(/\/$/, "")}/api/packets`);
  url.searchParams.set("limit", "100");
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  const headers = authorization === undefined ? {} : { authorization };
  return fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

async function isBadCursor(response: Response): Promise<boolean> {
  return (await response.text()).includes("BAD_CURSOR");
}
