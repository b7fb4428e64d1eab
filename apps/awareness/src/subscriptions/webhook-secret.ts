import { randomBytes } from "node:crypto";
import { encodeWebhookSecret, parseWebhookSecret } from "@dataspace/protocol/webhook-secret";

const MADE_BYTES = 32;

/** Makes a webhook secret: `whsec_` and 32 random bytes in base64. Refuses: never. Source: decision E9. */
export function makeWebhookSecret(): string {
  return encodeWebhookSecret(randomBytes(MADE_BYTES));
}

/**
 * Checks whether a text is a webhook secret: `whsec_` and the base64 of 24 to 64 bytes. Refuses: never. Source:
 * decision E9.
 */
export function isWebhookSecret(text: string): boolean {
  try {
    parseWebhookSecret(text);
    return true;
  } catch {
    return false;
  }
}
