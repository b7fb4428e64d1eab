import { randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const MADE_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** Makes a webhook secret: `whsec_` and 32 random bytes in base64. Refuses: never. Source: decision E9; Standard Webhooks. */
export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(MADE_BYTES).toString("base64");
}

/** Tells whether a text is a webhook secret: `whsec_` and the base64 of 24 to 64 bytes. Refuses: never. Source: decision E9. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const base64 = text.slice(PREFIX.length);
  const bytes = Buffer.from(base64, "base64");
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString("base64") === base64;
}
