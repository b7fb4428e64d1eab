import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { splitKeySet } from "@dataspace/service-kit/signing-jwk";

/** The public part of the key that signs webhooks, as the service publishes it. */
export interface PublishedWebhookKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly alg: "EdDSA";
  readonly use: "sig";
}

/** The service's own key: it signs, and names the public key that verifies. */
export interface WebhookSigningKey {
  readonly signing: KeyObject;
  readonly published: PublishedWebhookKey;
  /** Other keys of the setting. They sign too, so that a receiver with either of two key sets verifies a webhook. */
  readonly others?: readonly WebhookSigningKey[];
}

/** The result of reading the setting: the key, or a description of the fault. */
export type WebhookSigningKeyReading = { readonly key: WebhookSigningKey } | { readonly fault: string };

const MOST_KEYS = 4;
const KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;
const KEY_ID = /^[\x21-\x7e]{1,128}$/;
/** The prefix of the 32 bytes of an Ed25519 key in PKCS #8. Source: RFC 8410. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Reads the operator's signing key: a private Ed25519 JWK, or while keys are rotated a JWK set of up to four. A `kid`
 * that is not named is the thumbprint.
 *
 * Out: the first key, with the others; or the fault, which never repeats any part of the text. Refuses: never by an exception.
 * Source: decision E3; RFC 7638, RFC 8037.
 */
export function readWebhookSigningKey(text: string): WebhookSigningKeyReading {
  const readings = splitKeySet(text).map(readOne);
  if (readings.length > MOST_KEYS) return { fault: `holds more than ${MOST_KEYS} keys` };
  const keys: WebhookSigningKey[] = [];
  for (const reading of readings) {
    if ("fault" in reading) return reading;
    keys.push(reading.key);
  }
  const [first, ...others] = keys;
  if (first === undefined) return { fault: "holds no key" };
  if (new Set(keys.map(({ published }) => published.kid)).size < keys.length) {
    return { fault: "holds two keys with one kid" };
  }
  return { key: others.length === 0 ? first : { ...first, others } };
}

/** Lists the keys that sign, the first of the setting first. Refuses: never. */
export function listWebhookKeys(key: WebhookSigningKey): readonly WebhookSigningKey[] {
  return [key, ...(key.others ?? [])];
}

function readOne(text: string): WebhookSigningKeyReading {
  const members = parseObject(text);
  if (members === undefined) return { fault: "must be a JWK, that is one JSON object" };
  const { kty, crv, x, d, kid } = members;
  if (kty !== "OKP" || crv !== "Ed25519") return { fault: 'must be an Ed25519 key ("kty":"OKP", "crv":"Ed25519")' };
  if (typeof d !== "string" || !KEY_TEXT.test(d)) return { fault: 'must have "d", 32 bytes in base64url' };
  if (kid !== undefined && (typeof kid !== "string" || !KEY_ID.test(kid))) {
    return { fault: 'has a "kid" that is not 1 to 128 visible characters' };
  }
  const der = Buffer.concat([PKCS8_HEAD, Buffer.from(d, "base64url")]);
  const key = toSigningKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }), kid);
  return key.published.x === x ? { key } : { fault: 'has an "x" that does not belong to "d"' };
}

/** Creates a new key, where none is set. Refuses: never. */
export function createWebhookSigningKey(): WebhookSigningKey {
  return toSigningKey(generateKeyPairSync("ed25519").privateKey, undefined);
}

function toSigningKey(privateKey: KeyObject, kid: string | undefined): WebhookSigningKey {
  const x = createPublicKey(privateKey).export({ format: "jwk" }).x as string;
  const [kty, crv] = ["OKP", "Ed25519"] as const;
  const thumbprint = createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");
  return {
    signing: privateKey,
    published: { kty, crv, x, kid: kid ?? thumbprint, alg: "EdDSA", use: "sig" },
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
