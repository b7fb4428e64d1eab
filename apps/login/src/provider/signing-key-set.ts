import { generateKeyPairSync } from "node:crypto";
import { readSigningJwk, type SigningJwk, splitKeySet, thumbprint } from "@dataspace/service-kit/signing-jwk";

/** The connector's private keys: the first one signs, the others are published too. Each has a `kid`. */
export type SigningKeySet = readonly [SigningJwk, ...SigningJwk[]];

/** The result of reading the setting: the keys, or a description of the fault. */
export type SigningKeySetReading = { readonly keys: SigningKeySet } | { readonly fault: string };

const MOST_KEYS = 4;

/**
 * Reads private ES256 keys from the text of one JWK or of a JWK set. To rotate a key without a failed login, publish
 * the next key as the second member, and make it the first one later.
 *
 * Out: keys whose `kid` is the JWK's own or its RFC 7638 thumbprint; or the fault, which repeats no part of the text.
 * Refuses: never by an exception. Source: S2 "Limits"; RFC 7517, RFC 7638.
 */
export function readSigningKeySet(text: string): SigningKeySetReading {
  const texts = splitKeySet(text);
  if (texts.length > MOST_KEYS) return { fault: `holds more than ${MOST_KEYS} keys` };
  const keys: SigningJwk[] = [];
  for (const member of texts) {
    const reading = readSigningJwk(member);
    if ("fault" in reading) return reading;
    keys.push(withKid(reading.jwk));
  }
  const [first, ...others] = keys;
  if (first === undefined) return { fault: "holds no key" };
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) return { fault: "holds two keys with one kid" };
  return { keys: [first, ...others] };
}

/** Creates a key for development, which does not survive a restart. Refuses: never. */
export function makeSigningKeySet(): SigningKeySet {
  const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return [withKid(jwk as SigningJwk)];
}

// Member by member: the JWK hides its private part from anything that copies or prints it.
function withKid({ kty, crv, x, y, d, kid }: SigningJwk): SigningJwk {
  return { kty, crv, x, y, d, kid: kid ?? thumbprint({ x, y }) };
}
