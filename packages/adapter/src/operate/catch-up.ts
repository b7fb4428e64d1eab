import { setTimeout as delay } from "node:timers/promises";
import { parseWebhookEvent } from "@dataspace/receiver/webhook-event";
import { receiveEvent } from "../inbound/webhook.ts";
import { RowFault } from "../mapping/row-fault.ts";
import { createCursors } from "../state/cursors.ts";
import type { Sync } from "../sync/sync.ts";
import { type Feed, readFeedPage } from "./feed-page.ts";

/** The feed, and whether to write. */
export interface CatchUpConfig extends Feed {
  /** Counts what would be applied, from where the last run came, and applies nothing. */
  readonly dryRun: boolean;
}

/** How far it is. `gap`: the feed no longer has all events since the last run, so `diff` has to say what is missing. */
export interface CatchUpProgress {
  readonly applied: number;
  readonly passedOver: number;
  /** Events that the platform could not apply; each is reported. */
  readonly refused: number;
  readonly gap: boolean;
}

type Outcome = "applied" | "passedOver" | "refused";

const CURSOR = "catch-up";
const ATTEMPTS = 3;
const PAUSE_MS = 200;
/** So many failures with no success between them say that the database or a vault is down, not that an event is at fault. */
const MOST_FAILURES_IN_A_ROW = 10;

/**
 * Applies the events that came while the platform was away, beside live webhooks, which the version guard allows; after an
 * interruption it goes on where it was.
 *
 * An event that fails three times is reported and passed over, so that it does not stop the others. Refuses: Error when the feed gives
 * no page; the last failure when ten events in a row fail, and then the next run begins with their page. Source: decisions A4, E7.
 */
export async function* catchUp<Transaction>(
  sync: Sync<Transaction>,
  { dryRun, ...feed }: CatchUpConfig,
): AsyncGenerator<CatchUpProgress, void, undefined> {
  const cursors = createCursors(sync.database);
  const apply = createApply(sync);
  let cursor = await cursors.find(CURSOR);
  let progress: CatchUpProgress = { applied: 0, passedOver: 0, refused: 0, gap: false };
  for (let more = true; more; ) {
    const page = await readFeedPage(feed, cursor);
    for (const packet of page.packets) {
      const outcome = dryRun ? "applied" : await apply(packet);
      progress = { ...progress, [outcome]: progress[outcome] + 1 };
    }
    if (!dryRun) await cursors.save(CURSOR, page.cursor);
    progress = { ...progress, gap: progress.gap || page.gap };
    yield progress;
    more = page.more && page.cursor !== cursor;
    cursor = page.cursor;
  }
}

function createApply<Transaction>(sync: Sync<Transaction>): (packet: unknown) => Promise<Outcome> {
  let failures = 0;
  const refuse = (packet: unknown): Outcome => {
    const { id } = (packet ?? {}) as { readonly id?: unknown };
    sync.report({ kind: "refused", globalId: typeof id === "string" ? id : "", why: "FAILED" });
    return "refused";
  };
  return async (packet) => {
    try {
      const outcome = await applyPacket(sync, packet);
      failures = 0;
      return outcome === "applied" ? "applied" : "passedOver";
    } catch (error) {
      if (!isAboutPacket(error)) failures += 1;
      if (failures >= MOST_FAILURES_IN_A_ROW) throw error;
      return refuse(packet);
    }
  };
}

/** Whether an event can never be applied as it is. */
function isAboutPacket(error: unknown): boolean {
  return error instanceof RowFault || (error as { readonly code?: unknown }).code === "INVALID_WEBHOOK";
}

async function applyPacket<Transaction>(sync: Sync<Transaction>, packet: unknown): Promise<string> {
  const event = parseWebhookEvent(new TextEncoder().encode(JSON.stringify(packet)));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await receiveEvent(sync, event);
    } catch (error) {
      if (attempt === ATTEMPTS || isAboutPacket(error)) throw error;
      await delay(PAUSE_MS * attempt);
    }
  }
}
