import { encodeBase64 } from "@dataspace/protocol/base64";
import { webhookBindingContent } from "@dataspace/protocol/webhook-binding";
import { WEBHOOK_CHALLENGE } from "@dataspace/protocol/webhook-challenge";
import { encodeWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { signWebhook } from "@dataspace/protocol/webhook-signature";

/** The receiver's own address in tests. */
export const TEST_TARGET = "http://localhost/api/webhook";
/** The subscription of test deliveries that name no other. */
export const TEST_SUBSCRIPTION = "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64";

/** One signed delivery, as arguments of fetch and Request. */
export interface TestDelivery {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Signs as an awareness service does, for tests. */
export interface TestSender {
  readonly secret: string;
  readonly publicJwk: object;
  readonly sign: (body: object | Uint8Array, how?: TestSigning) => Promise<TestDelivery>;
}

/** How a delivery is signed: with one scheme or both, at which second, and for which subscription and target. */
export interface TestSigning {
  readonly by?: "secret" | "key";
  readonly type?: string;
  readonly atSeconds?: number;
  readonly subscriptionId?: string;
  readonly targetUrl?: string;
}

type CryptoKeys = Readonly<Record<"privateKey" | "publicKey", CryptoKey>>;

let count = 0;

/** Makes a challenge with the given fields, as the awareness service sends it to a new target. */
export function makeChallenge(fields: object = {}): Record<string, unknown> {
  return makeEvent({ ...WEBHOOK_CHALLENGE, data: { challenge: true }, operation: "create", ...fields });
}

/** Makes an event, different from all others, with the given fields. */
export function makeEvent(fields: object = {}): Record<string, unknown> {
  count += 1;
  return {
    eventId: crypto.randomUUID(),
    id: `record-${count}`,
    dsid: "@e4d909c2-5d2f-4a7d-9473-b34b6c0f1a5a",
    schemaId: "550e8400-e29b-41d4-a716-446655440001",
    data: { text: "grüße", number: 1.0 },
    vaultPublicKey: "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv",
    operation: "update",
    streamVersion: 1,
    occurredAt: "2026-11-22T00:00:00.000Z",
    ...fields,
  };
}

/** Makes a sender with its own secret and Ed25519 key; `nowMs` dates its signatures. */
export async function createTestSender(nowMs: () => number = Date.now): Promise<TestSender> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const keys = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeys;
  return {
    secret: encodeWebhookSecret(secret),
    publicJwk: await crypto.subtle.exportKey("jwk", keys.publicKey),
    sign: async (content, how = {}) => {
      const { by, type, subscriptionId = TEST_SUBSCRIPTION, targetUrl = TEST_TARGET } = how;
      const { atSeconds = Math.floor(nowMs() / 1000) } = how;
      const bytes = content instanceof Uint8Array ? content : new TextEncoder().encode(JSON.stringify(content));
      const body = new Uint8Array(bytes);
      const id = "eventId" in content ? String(content.eventId) : crypto.randomUUID();
      const signature = await signWebhook({
        id,
        timestampSeconds: atSeconds,
        body,
        secrets: by === "key" ? [] : [secret],
        signingKeys: by === "secret" ? [] : [keys.privateKey],
      });
      const bodySha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
      const bound = { id, timestampSeconds: Math.floor(atSeconds), subscriptionId, targetUrl, bodySha256 };
      const binding = await crypto.subtle.sign("Ed25519", keys.privateKey, webhookBindingContent(bound));
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(atSeconds),
        "webhook-signature": signature,
        "webhook-subscription-id": subscriptionId,
        ...(by === "secret" ? {} : { "webhook-binding": `v1a,${encodeBase64(new Uint8Array(binding))}` }),
        ...(type === undefined ? {} : { "webhook-type": type }),
      };
      return { method: "POST", headers, body };
    },
  };
}
