import { encodeWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { signWebhook } from "@dataspace/protocol/webhook-signature";

/** One signed delivery, as fetch and Request take it. */
export interface TestDelivery {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Signs as an awareness service does, for tests. */
export interface TestSender {
  readonly secret: string;
  readonly publicJwk: object;
  /** `by`: the signatures made, both when absent. */
  readonly sign: (
    body: object | Uint8Array,
    how?: { readonly by?: "secret" | "key"; readonly type?: string; readonly atSeconds?: number },
  ) => Promise<TestDelivery>;
}

type CryptoKeys = Readonly<Record<"privateKey" | "publicKey", CryptoKey>>;

let count = 0;

/** Makes an event, different from all others, with the fields given. */
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

/** Makes a sender with a secret and an Ed25519 key of its own; `nowMs` dates what it signs. */
export async function createTestSender(nowMs: () => number = Date.now): Promise<TestSender> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const keys = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeys;
  return {
    secret: encodeWebhookSecret(secret),
    publicJwk: await crypto.subtle.exportKey("jwk", keys.publicKey),
    sign: async (content, { by, type, atSeconds = Math.floor(nowMs() / 1000) } = {}) => {
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
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(atSeconds),
        "webhook-signature": signature,
        ...(type === undefined ? {} : { "webhook-type": type }),
      };
      return { method: "POST", headers, body };
    },
  };
}
