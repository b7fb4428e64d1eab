import { createHash, createHmac, type KeyObject, sign } from "node:crypto";
import { webhookBindingContent } from "@dataspace/protocol/webhook-binding";
import { type WebhookMessage, webhookContent } from "@dataspace/protocol/webhook-signature";

/** One attempt to deliver an event to an endpoint. */
export interface WebhookAttempt {
  readonly attemptId: string;
  readonly number: number;
  readonly nowMs: number;
  readonly subscriptionId: string;
  readonly targetUrl: string;
  readonly eventId: string;
  readonly body: string;
  readonly replay: boolean;
  /** The span of this attempt, or the event's; null where there is none. It is not signed. */
  readonly traceparent: string | null;
}

/** The signers: the subscription's currently valid secrets, and the service's own Ed25519 keys. */
export interface WebhookKeys {
  readonly secrets: readonly Uint8Array[];
  readonly signingKeys: readonly KeyObject[];
}

const USER_AGENT = "Dataspace-Awareness/1";

/**
 * Writes the headers of one attempt, with new signatures: the three of Standard Webhooks, and the delivery's own.
 *
 * `webhook-binding` signs the subscription and the target, so that a receiver that trusts keys alone refuses a webhook
 * for another target. `webhook-delivery-id` is the attempt's id in the attempt log. `webhook-replay` is present where
 * the event was redelivered on request. Refuses: never for what the service stores. Source: decision E3.
 */
export function writeWebhookHeaders(attempt: WebhookAttempt, keys: WebhookKeys): Readonly<Record<string, string>> {
  const timestampSeconds = Math.floor(attempt.nowMs / 1000);
  const { eventId: id, subscriptionId, targetUrl, body } = attempt;
  const bodySha256 = createHash("sha256").update(body).digest();
  const binding = webhookBindingContent({ id, timestampSeconds, subscriptionId, targetUrl, bodySha256 });
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": signAll({ id, timestampSeconds, body }, keys),
    "webhook-binding": signByKeys(binding, keys).join(" "),
    "webhook-delivery-id": attempt.attemptId,
    "webhook-attempt": String(attempt.number),
    "webhook-subscription-id": subscriptionId,
    ...(attempt.replay ? { "webhook-replay": "true" } : {}),
    ...(attempt.traceparent === null ? {} : { traceparent: attempt.traceparent }),
  };
}

// Like `signWebhook` of the protocol, but with node:crypto, at half the cost: signing is most of a worker's work.
function signAll(message: WebhookMessage, keys: WebhookKeys): string {
  const content = webhookContent(message);
  const bySecrets = keys.secrets.map((secret) => `v1,${createHmac("sha256", secret).update(content).digest("base64")}`);
  return [...bySecrets, ...signByKeys(content, keys)].join(" ");
}

function signByKeys(content: Uint8Array, { signingKeys }: Pick<WebhookKeys, "signingKeys">): readonly string[] {
  return signingKeys.map((key) => `v1a,${sign(null, content, key).toString("base64")}`);
}
