import { setTimeout as delay } from "node:timers/promises";
import { parseWebhookEvent } from "@dataspace/receiver/webhook-event";
import { isAboutRecord, OwnerUnknown } from "../inbound/assert-row-of-owner.ts";
import { receiveEvent } from "../inbound/webhook.ts";
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
/** Events that are tried again at the end. */
const MOST_WAITING = 1_000;
/** So many failures with no success between them say that the database or a vault is down, not that an event is at fault. */
const MOST_FAILURES_IN_A_ROW = 10;

/**
 * Applies the events that came while the platform was away, beside live webhooks, which the version guard allows; after an
 * interruption it goes on where it was.
 *
 * An event that fails three times is reported and passed over, so that it does not stop the others. One that names rows which are not
 * known yet is tried again at the end, since they may come later in the feed. Refuses: Error when the feed gives
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
  let waiting: readonly unknown[] = [];
  for (let more = true; more; ) {
    const page = await readFeedPage(feed, cursor);
    for (const packet of page.packets) {
      const outcome = dryRun ? "applied" : await apply(packet, waiting.length < MOST_WAITING);
      if (outcome === "waiting") waiting = [...waiting, packet];
      else progress = { ...progress, [outcome]: progress[outcome] + 1 };
    }
    if (!dryRun) await cursors.save(CURSOR, page.cursor);
    progress = { ...progress, gap: progress.gap || page.gap };
    yield progress;
    more = page.more && page.cursor !== cursor;
    cursor = page.cursor;
  }
  if (waiting.length === 0) return;
  for (const packet of waiting) {
    const outcome = await apply(packet, false);
    if (outcome !== "waiting") progress = { ...progress, [outcome]: progress[outcome] + 1 };
  }
  yield progress;
}

/** In: whether an event that waits for another may be tried again later. */
type Apply = (packet: unknown, mayWait: boolean) => Promise<Outcome | "waiting">;

function createApply<Transaction>(sync: Sync<Transaction>): Apply {
  let failures = 0;
  const refuse = (packet: unknown): Outcome => {
    const { id } = (packet ?? {}) as { readonly id?: unknown };
    sync.report({ kind: "refused", globalId: typeof id === "string" ? id : "", why: "FAILED" });
    return "refused";
  };
  return async (packet, mayWait) => {
    try {
      const outcome = await applyPacket(sync, packet);
      failures = 0;
      return outcome === "applied" ? "applied" : "passedOver";
    } catch (error) {
      if (mayWait && error instanceof OwnerUnknown) return "waiting";
      if (!isAboutPacket(error)) failures += 1;
      if (failures >= MOST_FAILURES_IN_A_ROW) throw error;
      return refuse(packet);
    }
  };
}

/** Whether an event cannot be applied as it is, so that trying again at once is useless. */
function isAboutPacket(error: unknown): boolean {
  return isAboutRecord(error) || (error as { readonly code?: unknown }).code === "INVALID_WEBHOOK";
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
