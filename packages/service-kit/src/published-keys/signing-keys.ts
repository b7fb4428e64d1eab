import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isVerificationJwk } from "@dataspace/protocol/verification-jwk";
import type { JwkUse } from "@dataspace/protocol/verification-jwk";
import { readSigningJwk, type SigningJwk, splitKeySet, thumbprint } from "../signing-jwk.ts";
import type { PublishedJwk } from "./key-rows.ts";
import type { JWK } from "jose";

/** The operator's keys: the signing key, and all published keys (the signing key first). */
export interface SigningKeys {
  readonly privateKey: KeyObject;
  readonly published: readonly [PublishedJwk, ...PublishedJwk[]];
}

/** The result of reading the setting: the keys, or a description of the fault. */
export type SigningKeysReading = { readonly keys: SigningKeys } | { readonly fault: string };

const KEY_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * Reads the operator's signing key: one private JWK, or a JWK set whose first member signs and whose others are only
 * published. So verifiers know the next key before it signs.
 *
 * Out: keys whose `kid` is the JWK's own or otherwise its RFC 7638 thumbprint; or the fault, which does not repeat the
 * text.
 * Refuses: never by an exception. Source: decision X2; RFC 7517, RFC 7638.
 */
export function readSigningKeys(text: string): SigningKeysReading {
  const [first, ...others] = splitKeySet(text);
  const signing = readSigningJwk(first ?? "");
  if ("fault" in signing) return signing;
  const published = [publishJwk(signing.jwk), ...others.map(readPublicJwk)].filter((jwk) => jwk !== undefined);
  const [signingPublic, ...nextPublic] = published;
  if (signingPublic === undefined || published.length < 1 + others.length) {
    return { fault: "holds a key that is not EC on P-256 for ES256, or a kid that is not 1 to 128 visible characters" };
  }
  if (new Set(published.map(({ kid }) => kid)).size < published.length) return { fault: "holds two keys with one kid" };
  return { keys: { privateKey: importPrivate(signing.jwk), published: [signingPublic, ...nextPublic] } };
}

function readPublicJwk(text: string): PublishedJwk | undefined {
  const jwk = JSON.parse(text) as JWK | null;
  try {
    createPublicKey({ key: { kty: jwk?.kty, crv: jwk?.crv, x: jwk?.x, y: jwk?.y } as JWK, format: "jwk" });
  } catch {
    return undefined;
  }
  const verifies = (jwk?.alg ?? "ES256") === "ES256" && isVerificationJwk(toPublicUse(jwk ?? {}));
  return verifies ? publishJwk(jwk as SigningJwk) : undefined;
}

// The public half of a signing key verifies. Source: RFC 7517 section 4.3.
function toPublicUse({ use, key_ops: keyOps, d }: JWK): JwkUse {
  const signs = d !== undefined && keyOps?.includes("sign") === true;
  return { use: use ?? "sig", key_ops: keyOps === undefined || signs ? ["verify"] : keyOps };
}

function publishJwk({ kty, crv, x, y, kid = thumbprint({ x, y }) }: Omit<SigningJwk, "d">): PublishedJwk | undefined {
  const usable = kty === "EC" && crv === "P-256" && typeof kid === "string" && KEY_ID.test(kid);
  return usable ? { kty, crv, x, y, kid, alg: "ES256", use: "sig" } : undefined;
}

// Member by member: the JWK hides its private part from anything that copies or prints it.
function importPrivate({ kty, crv, x, y, d }: SigningJwk): KeyObject {
  return createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
}
