import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { LRUCache } from "lru-cache";

/** Tells whether r and s (64 bytes) sign the data, with SHA-256, by the key at this point of P-256 (65 bytes). */
export type VerifyEcdsa = (point: Uint8Array, data: Uint8Array, raw64: Uint8Array) => boolean;

const CACHED_KEYS = 10_000;

/**
 * Makes the signature check that every key of a person goes through; imported keys are kept, since importing one costs as much
 * as a third of a check.
 *
 * Source: S1 "Key keys"; FIPS 186-5.
 */
export function createVerifyEcdsa(): VerifyEcdsa {
  const imported = new LRUCache<string, KeyObject>({ max: CACHED_KEYS });
  function keyAt(point: Uint8Array): KeyObject {
    const name = Buffer.from(point).toString("base64");
    const known = imported.get(name);
    if (known !== undefined) return known;
    const key = createPublicKey({ key: Buffer.from(pointToSpki(point)), format: "der", type: "spki" });
    imported.set(name, key);
    return key;
  }
  return (point, data, raw64) => verify("sha256", data, { key: keyAt(point), dsaEncoding: "ieee-p1363" }, raw64);
}
