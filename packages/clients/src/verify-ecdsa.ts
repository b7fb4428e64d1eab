import { createPublicKey, KeyObject, verify } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Verifies r and s (64 bytes) over the data, with SHA-256, with an ECDSA key in SPKI (DER). */
export type VerifyEcdsa = (spki: Uint8Array, data: Uint8Array, raw64: Uint8Array) => boolean;

const CACHED_KEYS = 10_000;

/**
 * Makes the signature check for all keys of people. Imported keys are cached, since an import costs a third of a check.
 *
 * Source: S1 "Key keys"; FIPS 186-5.
 */
export function createVerifyEcdsa(): VerifyEcdsa {
  const imported = new LRUCache<string, KeyObject>({ max: CACHED_KEYS });
  function keyOf(spki: Uint8Array): KeyObject {
    const der = Buffer.from(spki.buffer, spki.byteOffset, spki.byteLength);
    const name = der.toString("latin1");
    const known = imported.get(name);
    if (known !== undefined) return known;
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    imported.set(name, key);
    return key;
  }
  return (spki, data, raw64) => verify("sha256", data, { key: keyOf(spki), dsaEncoding: "ieee-p1363" }, raw64);
}

/**
 * Makes the signature check of tokens by keys that WebCrypto imported, at once and without its thread.
 *
 * Source: RFC 7518 section 3.4.
 */
export function createVerifyEs256(): (key: CryptoKey, data: Uint8Array, raw64: Uint8Array) => boolean {
  const imported = new WeakMap<CryptoKey, KeyObject>();
  function keyOf(key: CryptoKey): KeyObject {
    const known = imported.get(key) ?? KeyObject.from(key);
    imported.set(key, known);
    return known;
  }
  return (key, data, raw64) => verify("sha256", data, { key: keyOf(key), dsaEncoding: "ieee-p1363" }, raw64);
}
