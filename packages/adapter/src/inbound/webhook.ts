import {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverConfig,
} from "@dataspace/receiver/webhook-receiver";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import type { WebhookOutcome, WebhookStore } from "@dataspace/receiver/webhook-store";
import { findTaken, takeIn } from "../state/inbox.ts";
import type { Session } from "../state/state-database.ts";
import { inInboundTransaction } from "../sync/origin.ts";
import type { Sync } from "../sync/sync.ts";
import { applyEvent } from "./apply-event.ts";
import { OwnerMismatch } from "./assert-row-of-owner.ts";
import { type PreparedEvent, prepareEvent } from "./prepare-event.ts";

/** Which webhooks are trusted, and who is notified of those that could not be applied. */
export type WebhookConfig = Omit<WebhookReceiverConfig<unknown>, "store" | "onEvent" | "onError"> & {
  readonly onError?: (error: unknown, event?: WebhookEvent) => void;
};

interface Applying<Transaction> {
  readonly session: Session<Transaction>;
  readonly prepared: PreparedEvent<Transaction>;
}

/**
 * Makes the handler of `POST /api/webhook`: every event is verified, taken in once and applied in one transaction with the local write.
 *
 * Out: as createWebhookReceiver answers; 200 for an event that no table takes. Without a secret, an awareness address or
 * `insecure: true` it is not made. Refuses: ReceiverError, ProtocolError. Source: S3 "Platform endpoint (inbound)"; decisions A3, A4.
 */
export function createWebhook<Transaction>(sync: Sync<Transaction>, config: WebhookConfig): WebhookReceiver {
  const { onError = () => {}, ...trust } = config;
  const store: WebhookStore<Applying<Transaction>> = {
    applyOnce: (event, apply) => applyOnce(sync, event, apply),
  };
  return createWebhookReceiver({
    ...trust,
    store,
    onEvent: (_event, { session, prepared }) => applyEvent(sync, session, prepared),
    onError,
  });
}

/** Applies an event that comes from elsewhere than a webhook, such as the feed. Refuses: as the webhook, by rejecting. */
export function receiveEvent<Transaction>(sync: Sync<Transaction>, event: WebhookEvent): Promise<WebhookOutcome> {
  return applyOnce(sync, event, ({ session, prepared }) => applyEvent(sync, session, prepared));
}

async function applyOnce<Transaction>(
  sync: Sync<Transaction>,
  event: WebhookEvent,
  apply: (applying: Applying<Transaction>) => Promise<void>,
): Promise<WebhookOutcome> {
  // An event that was applied already causes no request to a vault.
  const known = await findTaken(sync.database, event);
  if (known !== undefined) return known;
  const prepared = await prepareEvent(sync, event);
  if (prepared === undefined) return "applied";
  try {
    return await inInboundTransaction(sync.database, async (session) => {
      const taken = await takeIn(session, event);
      if (taken !== "new") return taken;
      await apply({ session, prepared });
      return "applied";
    });
  } catch (error) {
    if (!(error instanceof OwnerMismatch)) throw error;
    // What it wrote is rolled back, and it does not come again.
    await takeIn(sync.database, event);
    sync.report({ kind: "refused", globalId: event.id, why: "OWNER_MISMATCH" });
    return "applied";
  }
}
