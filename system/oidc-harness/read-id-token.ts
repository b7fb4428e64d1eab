import assert from "node:assert/strict";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { metadataList, metadataText, readMetadata } from "./metadata.ts";
import type { Target } from "./target.ts";

/** The claims of an ID token or of `/userinfo`. */
export type Claims = Readonly<Record<string, unknown>>;

const LONGEST_SUB = 255;

/** Fetches the provider's keys. */
export async function readKeySet(target: Target): Promise<JSONWebKeySet> {
  const response = await fetch(metadataText(await readMetadata(target), "jwks_uri"));
  assert.equal(response.status, 200, "the key set is served");
  return (await response.json()) as JSONWebKeySet;
}

/**
 * Validates an ID token as a client does. Refuses: an AssertionError that names the first wrong thing.
 * Source: OpenID Connect Core 2, 3.1.3.7.
 */
export async function readIdToken(
  target: Target,
  token: string,
  { clientId, nonce }: { readonly clientId: string; readonly nonce: string | undefined },
): Promise<Claims> {
  const algorithms = metadataList(await readMetadata(target), "id_token_signing_alg_values_supported").map(String);
  const { alg, kid } = decodeProtectedHeader(token);
  assert.ok(alg !== undefined && alg !== "none" && algorithms.includes(alg), `the algorithm ${alg} is announced`);
  assert.equal(typeof kid, "string", "the ID token names its key");
  const keySet = await readKeySet(target);
  assert.ok(
    keySet.keys.some((key) => key.kid === kid),
    "the ID token's key is published",
  );
  const verify = jwtVerify(token, createLocalJWKSet(keySet), { algorithms: [alg], clockTolerance: 5 });
  const { payload } = await verify.catch((error: Error) => assert.fail(`the ID token is not valid: ${error.message}`));
  assert.equal(payload.iss, target.issuer, "the ID token's issuer is the issuer");
  assert.deepEqual([payload.aud].flat(), [clientId], "the ID token is for this client alone");
  assert.ok(typeof payload.sub === "string" && payload.sub.length <= LONGEST_SUB, "sub is a short text");
  assert.ok(Number(payload.exp) > Number(payload.iat), "exp is after iat");
  assert.equal(payload["nonce"], nonce, "the nonce comes back unchanged");
  return payload;
}
