import { decodeBase64, encodeBase64 } from "./base64.ts";
import { ProtocolError } from "./protocol-error.ts";

const PREFIX = "whsec_";
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const MAX_CHARACTERS = 128;

/**
 * Parses the secret that sender and receiver of a webhook share.
 *
 * In: `whsec_` and base64. Out: the 24 to 64 bytes of the secret.
 * Refuses: ProtocolError INVALID_WEBHOOK_SECRET, with a message that does not repeat the text.
 * Source: decision E9; Standard Webhooks 1.0.0, "Signature scheme".
 */
export function parseWebhookSecret(text: string): Uint8Array {
  const bytes =
    text.length <= MAX_CHARACTERS && text.startsWith(PREFIX) ? decodeBase64(text.slice(PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
    throw new ProtocolError(
      "INVALID_WEBHOOK_SECRET",
      `A webhook secret is ${PREFIX} and the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes.`,
    );
  }
  return bytes;
}

/**
 * Writes a webhook secret in the form shown to people.
 *
 * In: 24 to 64 random bytes. Out: `whsec_` and their base64.
 * Refuses: ProtocolError INVALID_WEBHOOK_SECRET for fewer or more bytes.
 * Source: decision E9; Standard Webhooks 1.0.0, "Signature scheme".
 */
export function encodeWebhookSecret(bytes: Uint8Array): string {
  const text = PREFIX + encodeBase64(bytes);
  parseWebhookSecret(text);
  return text;
}
