import type { WebhookOutcome } from "../../src/delivery/send-webhook.ts";

/** What came of a request to an endpoint that answers at once with a status, or, null, not at all. In: `differs` from that. */
export function outcomeAt(nowMs: number, status: number | null, differs: Partial<WebhookOutcome> = {}): WebhookOutcome {
  const error = status === null ? "unreachable" : null;
  const nothing = { error, answer: null, brokenOff: undefined, retryAfterMs: undefined };
  return { startedAtMs: nowMs, durationMs: 0, status, ...nothing, ...differs };
}
