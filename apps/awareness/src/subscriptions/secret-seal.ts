import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Seals webhook secrets for the table, each for its own subscription. */
export interface SecretSeal {
  readonly seal: (subscriptionId: string, secret: string) => Buffer;
  /** Refuses: throws for bytes that were not sealed for this subscription with this key. */
  readonly open: (subscriptionId: string, sealed: Buffer) => string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = "ds:awareness:subscription-secret:v1";

/**
 * Makes the seal: AES-256-GCM with a key derived from DS_SECRET for this purpose only; nonce, tag and text are
 * concatenated.
 *
 * Source: decisions, settings table (DS_SECRET seals); NIST SP 800-38D; RFC 5869.
 */
export function createSecretSeal(serviceSecret: string): SecretSeal {
  const key = Buffer.from(hkdfSync("sha256", serviceSecret, "", PURPOSE, KEY_BYTES));
  return {
    seal: (subscriptionId, secret) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(subscriptionId));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open: (subscriptionId, sealed) => {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(subscriptionId));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
    },
  };
}
