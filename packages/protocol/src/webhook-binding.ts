import { encodeBase64Url } from "./base64url.ts";
import { parseUrl } from "./parse-url.ts";
import { ProtocolError } from "./protocol-error.ts";
import { isUuid } from "./uuid.ts";
import { hasKeySignature, isWebhookId } from "./webhook-signature.ts";

/** What a binding covers: one attempt, the subscription it is made for, the address it is sent to, and the hash of the body. */
export interface WebhookBinding {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly subscriptionId: string;
  readonly targetUrl: string;
  readonly bodySha256: Uint8Array;
}

// The v1a content starts with the webhook's id and a full stop. An id contains no line feed, so the two texts always
// differ.
const PREFIX = "ds-webhook-binding:v1";

/**
 * Returns the bytes that the header `webhook-binding` signs: six lines, separated by line feeds.
 *
 * The lines are the prefix `ds-webhook-binding:v1`, the webhook's id, the timestamp in seconds, the subscription's id,
 * the target as `URL.href` spells it, and the base64url of the SHA-256 of the body's bytes.
 * Refuses: ProtocolError INVALID_WEBHOOK for an invalid member.
 * Source: decisions E3, E9; docs/decisions/2026-11-22-webhook-binding.md.
 */
export function webhookBindingContent(binding: WebhookBinding): Uint8Array<ArrayBuffer> {
  const { id, timestampSeconds, subscriptionId, targetUrl, bodySha256 } = binding;
  const target = parseUrl(targetUrl)?.href;
  if (!isWebhookId(id) || !Number.isSafeInteger(timestampSeconds) || !isUuid(subscriptionId) || target === undefined) {
    const message =
      "A binding needs the webhook's id and timestamp, the UUID of its subscription, and its target as a URL.";
    throw new ProtocolError("INVALID_WEBHOOK", message, "webhook-binding");
  }
  const lines = [PREFIX, id, String(timestampSeconds), subscriptionId, target, encodeBase64Url(bodySha256)];
  return new TextEncoder().encode(lines.join("\n"));
}

/**
 * Checks whether a `webhook-binding` header contains a signature of the binding by one of the keys.
 *
 * In: `publicKeys` Ed25519 keys with the usage `verify`; the header has the form of `webhook-signature`, with `v1a`
 * entries alone.
 * Refuses: as `webhookBindingContent`. Source: decision E3.
 */
export function isBoundBy(publicKeys: readonly CryptoKey[], header: string, binding: WebhookBinding): Promise<boolean> {
  return hasKeySignature(header, { publicKeys, content: webhookBindingContent(binding) });
}
