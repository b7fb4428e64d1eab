import { isVerificationJwk } from "@dataspace/protocol/verification-jwk";

/** The keys of an issuer by their `kid`. */
export type KeysByKid = ReadonlyMap<string, CryptoKey>;

const MAX_KEYS = 20;
const KEY_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * Reads a JWK set: its EC keys on P-256 that verify ES256 signatures. Keys of other kinds and for other uses are
 * skipped.
 *
 * Out: undefined for a value that is not a JWK set, has more than 20 keys, uses one `kid` twice or contains no usable
 * key.
 * Refuses: never. Source: RFC 7517; decision I4.
 */
export async function readKeySet(document: unknown): Promise<KeysByKid | undefined> {
  const listed = (document as { keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(listed) || listed.length > MAX_KEYS) return undefined;
  const keys = new Map<string, CryptoKey>();
  for (const jwk of listed) {
    const key = await readKey(jwk);
    if (key === undefined) continue;
    if (keys.has(key.kid)) return undefined;
    keys.set(key.kid, key.key);
  }
  return keys.size === 0 ? undefined : keys;
}

async function readKey(jwk: unknown): Promise<{ readonly kid: string; readonly key: CryptoKey } | undefined> {
  const members = (jwk ?? {}) as Readonly<Record<string, unknown>>;
  const { kty, crv, alg = "ES256", kid, x, y } = members;
  const isForES256 = kty === "EC" && crv === "P-256" && alg === "ES256" && isVerificationJwk(members);
  if (!isForES256 || typeof kid !== "string" || !KEY_ID.test(kid) || typeof x !== "string" || typeof y !== "string") {
    return undefined;
  }
  try {
    // Extractable, since node:crypto accepts no other. Only these members: a private part or usage that an issuer
    // published by mistake is dropped.
    const publicJwk = { kty, crv, x, y };
    return {
      kid,
      key: await crypto.subtle.importKey("jwk", publicJwk, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]),
    };
  } catch {
    return undefined;
  }
}
