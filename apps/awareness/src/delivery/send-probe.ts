import { type KeyObject, randomUUID } from "node:crypto";
import { WEBHOOK_CHALLENGE } from "@dataspace/protocol/webhook-challenge";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import type { Clock } from "@dataspace/service-kit/clock";
import type { SendWebhook, WebhookOutcome } from "./send-webhook.ts";
import { writeWebhookHeaders } from "./webhook-headers.ts";

/** A webhook about no record: `challenge` asks whether a target accepts webhooks, `test` is for a consumer's trial. */
export interface Probe {
  readonly kind: "challenge" | "test";
  readonly consumerId: string;
  readonly subscriptionId: string;
  readonly targetUrl: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

/** Sends a probe once and immediately; never rejects. */
export type SendProbe = (probe: Probe) => Promise<WebhookOutcome>;

/**
 * Makes the sending of probes. They are signed like every webhook, by secret and by the service's key, so that a
 * receiver can verify a challenge before it knows the secret. A challenge has a reserved owner and ontology in its
 * signed body; a test has random ones. No record has them. The header `webhook-type` repeats the kind for logs, and
 * proves nothing.
 *
 * Source: decisions E7, E9.
 */
export function createSendProbe(
  deps: { readonly send: SendWebhook; readonly clock: Clock },
  config: { readonly signingKeys: readonly KeyObject[] },
): SendProbe {
  return async ({ kind, consumerId, subscriptionId, targetUrl, secret }) => {
    const eventId = randomUUID();
    const nowMs = deps.clock.nowMs();
    const body = JSON.stringify({
      eventId,
      id: randomUUID(),
      ...(kind === "challenge" ? WEBHOOK_CHALLENGE : { dsid: `@${randomUUID()}`, schemaId: randomUUID() }),
      data: { [kind]: true },
      vaultPublicKey: null,
      operation: "create",
      streamVersion: 1,
      occurredAt: new Date(nowMs).toISOString(),
    });
    const headers = writeWebhookHeaders(
      {
        attemptId: randomUUID(),
        number: 1,
        nowMs,
        subscriptionId,
        targetUrl,
        eventId,
        body,
        replay: false,
        traceparent: null,
      },
      { secrets: [parseWebhookSecret(secret)], signingKeys: config.signingKeys },
    );
    return deps.send({ requester: consumerId, targetUrl, headers: { ...headers, "webhook-type": kind }, body });
  };
}
