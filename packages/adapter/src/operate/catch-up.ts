import { parseWebhookEvent } from "@dataspace/receiver/webhook-event";
import { receiveEvent } from "../inbound/webhook.ts";
import { RowFault } from "../mapping/row-fault.ts";
import { createCursors } from "../state/cursors.ts";
import type { Sync } from "../sync/sync.ts";

/** Where the feed of events is, and who asks. */
export interface FeedConfig {
  readonly fetch: typeof fetch;
  readonly awarenessUrl: string;
  /** The value of `Authorization`, such as `Bearer <API key>`. */
  readonly authorization: string | undefined;
  /** Counts what would be applied, from where the last run came, and applies nothing. */
  readonly dryRun: boolean;
}

/** How far it is. `gap`: the feed no longer has all events since the last run, so `diff` has to say what is missing. */
export interface CatchUpProgress {
  readonly applied: number;
  readonly passedOver: number;
  readonly refused: number;
  readonly gap: boolean;
}

interface FeedPage {
  readonly packets: readonly unknown[];
  readonly cursor: string;
  readonly more: boolean;
  readonly gap: boolean;
}

const CURSOR = "catch-up";
const TIMEOUT_MS = 30_000;

/**
 * Applies the events that came while the platform was away, beside live webhooks, which the version guard allows; after an
 * interruption it goes on where it was.
 *
 * Refuses: Error when the feed gives no page; the vault's and the platform's errors. Source: decisions A4, E7.
 */
export async function* catchUp<Transaction>(
  sync: Sync<Transaction>,
  feed: FeedConfig,
): AsyncGenerator<CatchUpProgress, void, undefined> {
  const cursors = createCursors(sync.database);
  let cursor = await cursors.find(CURSOR);
  let progress: CatchUpProgress = { applied: 0, passedOver: 0, refused: 0, gap: false };
  for (let more = true; more; ) {
    const page = await readPage(feed, cursor);
    for (const packet of page.packets) {
      const outcome = feed.dryRun ? "applied" : await applyPacket(sync, packet);
      const counted = outcome === "applied" ? "applied" : outcome === "refused" ? "refused" : "passedOver";
      progress = { ...progress, [counted]: progress[counted] + 1 };
    }
    if (!feed.dryRun) await cursors.save(CURSOR, page.cursor);
    progress = { ...progress, gap: progress.gap || page.gap };
    yield progress;
    more = page.more && page.cursor !== cursor;
    cursor = page.cursor;
  }
}

async function applyPacket<Transaction>(sync: Sync<Transaction>, packet: unknown): Promise<string> {
  const event = parseWebhookEvent(new TextEncoder().encode(JSON.stringify(packet)));
  try {
    return await receiveEvent(sync, event);
  } catch (error) {
    if (error instanceof RowFault) return "refused";
    throw error;
  }
}

async function readPage(
  { fetch, awarenessUrl, authorization }: FeedConfig,
  cursor: string | undefined,
): Promise<FeedPage> {
  const url = new URL(`${awarenessUrl.replace(/\/$/, "")}/api/packets`);
  url.searchParams.set("limit", "100");
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  const headers = authorization === undefined ? {} : { authorization };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The awareness service answered ${response.status} to ${url.pathname}.`);
  const page = (await response.json()) as Partial<FeedPage>;
  if (!Array.isArray(page.packets) || typeof page.cursor !== "string") {
    throw new Error(`${url.origin} is not the feed of an awareness service.`);
  }
  return { packets: page.packets, cursor: page.cursor, more: page.more === true, gap: page.gap === true };
}
