import { createHmac, type KeyObject, sign } from "node:crypto";
import { type WebhookMessage, webhookContent } from "@dataspace/protocol/webhook-signature";

/** One attempt to tell an endpoint of an event. */
export interface WebhookAttempt {
  readonly attemptId: string;
  readonly number: number;
  readonly nowMs: number;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly body: string;
  readonly replay: boolean;
}

/** What signs: the subscription's secrets that are valid now, and the service's own Ed25519 keys. */
export interface WebhookKeys {
  readonly secrets: readonly Uint8Array[];
  readonly signingKeys: readonly KeyObject[];
}

const USER_AGENT = "Dataspace-Awareness/1";

/**
 * Writes the headers of one attempt, signed anew at each: the three of Standard Webhooks, and whose delivery it is.
 *
 * `webhook-delivery-id` is the id under which the attempt log lists the request; `webhook-replay` stands where somebody asked for
 * the event again. Refuses: never for what the service stores. Source: decision E3.
 */
export function writeWebhookHeaders(attempt: WebhookAttempt, keys: WebhookKeys): Readonly<Record<string, string>> {
  const timestampSeconds = Math.floor(attempt.nowMs / 1000);
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": attempt.eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": signAll({ id: attempt.eventId, timestampSeconds, body: attempt.body }, keys),
    "webhook-delivery-id": attempt.attemptId,
    "webhook-attempt": String(attempt.number),
    "webhook-subscription-id": attempt.subscriptionId,
    ...(attempt.replay ? { "webhook-replay": "true" } : {}),
  };
}

// As `signWebhook` of the protocol does by the platform's own cryptography, at half the cost: a worker does little else.
function signAll(message: WebhookMessage, { secrets, signingKeys }: WebhookKeys): string {
  const content = webhookContent(message);
  return [
    ...secrets.map((secret) => `v1,${createHmac("sha256", secret).update(content).digest("base64")}`),
    ...signingKeys.map((key) => `v1a,${sign(null, content, key).toString("base64")}`),
  ].join(" ");
}
