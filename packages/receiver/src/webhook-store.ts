import type { WebhookEvent } from "./webhook-event.ts";

/** `duplicate`: this event was the last one applied to its record; `stale`: this version or a later one was. */
export type WebhookOutcome = "applied" | "duplicate" | "stale";

/**
 * Where a receiver stores the progress of each record: the last applied `streamVersion` and its `eventId`, by `dsid`
 * and `id`.
 *
 * `applyOnce` runs `apply` only for a version later than the last applied one. It stores the event only if `apply`
 * succeeds, and passes its error on otherwise. Calls for one record run one after the other. What `apply` writes
 * through its `transaction` commits together with the store's own row; that turns "at least once" into exactly once.
 * Source: S1 "Delivery rules" (deduplicate by eventId).
 */
export interface WebhookStore<Transaction> {
  readonly applyOnce: (
    event: WebhookEvent,
    apply: (transaction: Transaction) => Promise<void>,
  ) => Promise<WebhookOutcome>;
}
