import { decodeBase64, encodeBase64 } from "./base64.ts";
import { ProtocolError } from "./protocol-error.ts";

/** What a webhook's signatures cover: the event's id, the second of this attempt, and the exact bytes of the body. */
export interface WebhookMessage {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: Uint8Array | string;
}

/**
 * The three headers as received (null or undefined: absent), the body as received, and the keys that the receiver
 * trusts.
 */
export interface WebhookToVerify {
  readonly headers: Readonly<
    Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string | null | undefined>
  >;
  readonly body: Uint8Array | string;
  readonly secrets: readonly Uint8Array[];
  readonly publicKeys: readonly CryptoKey[];
  readonly nowSeconds: number;
}

const TOLERANCE_SECONDS = 300;
// No full stop: it separates the signed parts, so an id with one could move bytes from the body into the id.
const ID = /^[\x21-\x2d\x2f-\x7e]{1,256}$/;
const SECONDS = /^(?:0|[1-9]\d{0,11})$/;
// Each v1a signature tried costs a hash of the whole body: a header full of them must not be expensive.
const MAX_TRIED = 16;
// The limit of the signature header; one signature takes some 90 characters.
const MAX_SIGNATURE_CHARACTERS = 16_384;
const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * Signs one attempt to deliver a webhook.
 *
 * In: `secrets` as bytes, `signingKeys` private Ed25519 keys with the usage `sign`. Out: the value of the header
 * `webhook-signature`: one `v1,...` for each secret, then one `v1a,...` for each key, separated by spaces.
 * Refuses: ProtocolError INVALID_WEBHOOK for an id that is not 1 to 256 visible ASCII characters without a full stop, or a
 * timestamp that is not whole seconds.
 * Source: Standard Webhooks 1.0.0, "Signature scheme" and "Webhook headers"; decision E3.
 */
export async function signWebhook(
  input: WebhookMessage & { readonly secrets: readonly Uint8Array[]; readonly signingKeys: readonly CryptoKey[] },
): Promise<string> {
  const content = webhookContent(input);
  const signatures = await Promise.all([
    ...input.secrets.map(async (secret) => `v1,${encodeBase64(await hmac(secret, content))}`),
    ...input.signingKeys.map(async (key) => `v1a,${encodeBase64(await ed25519(key, content))}`),
  ]);
  return signatures.join(" ");
}

/**
 * Returns the bytes that each signature of a webhook covers, for signers that hold their keys elsewhere.
 *
 * Refuses: as `signWebhook`. Source: Standard Webhooks 1.0.0, "Signature scheme".
 */
export function webhookContent({ id, timestampSeconds, body }: WebhookMessage): Uint8Array<ArrayBuffer> {
  if (!isWebhookId(id)) throw refuseHeader("webhook-id");
  if (!SECONDS.test(String(timestampSeconds))) throw refuseHeader("webhook-timestamp");
  return contentOf(id, String(timestampSeconds), body);
}

/**
 * Checks whether a text can be a webhook's id: 1 to 256 visible ASCII characters without a full stop. Refuses: never.
 */
export function isWebhookId(text: string): boolean {
  return ID.test(text);
}

/**
 * Verifies a webhook before its body is read.
 *
 * In: `publicKeys` are Ed25519 keys with the usage `verify`. Out: the scheme of the valid signature. One is enough; of
 * a long list the first 16 of each scheme are tried. The timestamp may differ from `nowSeconds` by 300 s in either
 * direction.
 * Refuses: ProtocolError INVALID_WEBHOOK with `at` the header at fault: absent, malformed, too old or too new, or
 * without a valid signature of a given secret or key.
 * Source: Standard Webhooks 1.0.0, "Verifying signatures"; decision E3.
 */
export async function verifyWebhook(input: WebhookToVerify): Promise<"v1" | "v1a"> {
  const id = input.headers["webhook-id"] ?? "";
  const timestamp = input.headers["webhook-timestamp"] ?? "";
  if (!isWebhookId(id)) throw refuseHeader("webhook-id");
  if (!SECONDS.test(timestamp)) throw refuseHeader("webhook-timestamp");
  if (Math.abs(Number(timestamp) - input.nowSeconds) > TOLERANCE_SECONDS) {
    const message = `The webhook was sent more than ${TOLERANCE_SECONDS} seconds ago or ahead: set both clocks, and sign again at each attempt.`;
    throw new ProtocolError("INVALID_WEBHOOK", message, "webhook-timestamp");
  }
  const content = contentOf(id, timestamp, input.body);
  const signatures = input.headers["webhook-signature"] ?? "";
  if (await hasHmac(signaturesOf(signatures, "v1"), input.secrets, content)) return "v1";
  if (await hasKeySignature(signatures, { publicKeys: input.publicKeys, content })) return "v1a";
  const message = "No signature of the webhook was made with a secret or key that is trusted here.";
  throw new ProtocolError("INVALID_WEBHOOK", message, "webhook-signature");
}

async function hasHmac(
  signatures: readonly Uint8Array[],
  secrets: readonly Uint8Array[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (signatures.length === 0) return false;
  const expected = await Promise.all(secrets.map((secret) => hmac(secret, content)));
  return expected.some((one) => signatures.some((signature) => areEqual(one, signature)));
}

/**
 * Checks whether one of the first 16 `v1a` entries of a header is a signature over the content by one of the keys.
 *
 * In: `publicKeys` Ed25519 keys with the usage `verify`. Refuses: never. Source: Standard Webhooks 1.0.0, "Signature
 * scheme".
 */
export async function hasKeySignature(
  header: string,
  { publicKeys, content }: { readonly publicKeys: readonly CryptoKey[]; readonly content: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const signatures = signaturesOf(header, "v1a");
  for (const key of publicKeys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), content)) return true;
    }
  }
  return false;
}

function signaturesOf(header: string, scheme: "v1" | "v1a"): readonly Uint8Array[] {
  const entries = header.length > MAX_SIGNATURE_CHARACTERS ? [] : header.split(" ");
  const own = entries.filter((entry) => entry.startsWith(`${scheme},`)).slice(0, MAX_TRIED);
  return own.flatMap((entry) => decodeBase64(entry.slice(scheme.length + 1)) ?? []);
}

function contentOf(id: string, timestamp: string, body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const tail = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return content;
}

async function hmac(secret: Uint8Array, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(secret), HMAC, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, content));
}

async function ed25519(key: CryptoKey, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, content));
}

// The comparison takes constant time, wherever the first difference is.
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= (one[at] as number) ^ (other[at] ?? 0);
  return difference === 0;
}

function refuseHeader(at: "webhook-id" | "webhook-timestamp"): ProtocolError {
  const wanted = {
    "webhook-id": "1 to 256 visible ASCII characters without a full stop",
    "webhook-timestamp": "whole seconds since 1970",
  };
  return new ProtocolError("INVALID_WEBHOOK", `The header ${at} must be ${wanted[at]}.`, at);
}
