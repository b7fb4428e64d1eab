import type { WebhookEvent } from "./webhook-event.ts";

/** `duplicate`: this very event was the last applied to its record; `stale`: this version or a later one was. */
export type WebhookOutcome = "applied" | "duplicate" | "stale";

/**
 * Where a receiver remembers how far each record is: the last applied `streamVersion`, and its `eventId`, by `dsid` and `id`.
 *
 * `applyOnce` runs `apply` for a version later than the last applied, and for no other. It remembers the event only if
 * `apply` succeeds, and lets its error through otherwise. Calls for one record take turns. What `apply` writes through the
 * `transaction` it is given is committed together with what the store remembers: that makes "at least once" exactly once.
 * Source: S1 "Delivery rules" (deduplicate by eventId).
 */
export interface WebhookStore<Transaction> {
  readonly applyOnce: (
    event: WebhookEvent,
    apply: (transaction: Transaction) => Promise<void>,
  ) => Promise<WebhookOutcome>;
}
