import { createHash, randomBytes } from "node:crypto";

/** A new API key: `key` is shown once, `id` is its first characters, `keyHash` is what is stored. */
export interface MadeApiKey {
  readonly key: string;
  readonly id: string;
  readonly keyHash: Buffer;
}

const PREFIX = "dsk_";
const KEY_BYTES = 32;
const ID_CHARACTERS = 16;
const ID = /^dsk_[A-Za-z0-9_-]+$/;

/** Makes an API key of 256 random bits. Refuses: never. Source: decision E9. */
export function makeApiKey(): MadeApiKey {
  const key = PREFIX + randomBytes(KEY_BYTES).toString("base64url");
  return { key, id: key.slice(0, ID_CHARACTERS), keyHash: hashApiKey(key) };
}

/** Checks whether a credential has the form of an API key. Refuses: never. */
export function isApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** Checks whether a text has the form of an API key's id. Refuses: never. */
export function isApiKeyId(text: string): boolean {
  return text.length === ID_CHARACTERS && ID.test(text);
}

/** Computes what is stored of an API key: its SHA-256, enough for 256 random bits. Refuses: never. */
export function hashApiKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
