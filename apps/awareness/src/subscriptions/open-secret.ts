import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { LRUCache } from "lru-cache";
import type { SecretSeal } from "./secret-seal.ts";

const MOST_KEPT = 10_000;

/**
 * Makes the opener of a subscription's sealed secret (base64) for signing. It caches the last 10,000 opened secrets;
 * which of them are valid is read again before each attempt.
 *
 * Refuses: as the seal, for what it did not seal. Source: decision E3.
 */
export function createOpenSecret(
  seal: Pick<SecretSeal, "open">,
): (subscriptionId: string, sealed: string) => Uint8Array {
  const opened = new LRUCache<string, Uint8Array>({ max: MOST_KEPT });
  return (subscriptionId, sealed) => {
    const name = `${subscriptionId} ${sealed}`;
    const cached = opened.get(name);
    if (cached !== undefined) return cached;
    const secret = parseWebhookSecret(seal.open(subscriptionId, Buffer.from(sealed, "base64")));
    opened.set(name, secret);
    return secret;
  };
}
