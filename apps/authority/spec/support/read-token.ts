import { createPublicKey, verify } from "node:crypto";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";

/** The claims of a compact JWS; its signature is not checked. */
export function readClaims(token: string): Readonly<Record<string, unknown>> {
  return parseCompactJws(token).payload;
}

/** Checks whether one of some published keys signed a token of a kind, by the platform's own cryptography. */
export function isToken(token: string, keys: readonly { readonly kid: string }[], typ: string): boolean {
  const { header, signingInput, signature } = parseCompactJws(token);
  const jwk = keys.find(({ kid }) => kid === header.kid);
  if (jwk === undefined || header.typ !== typ) return false;
  const key = createPublicKey({ key: jwk as never, format: "jwk" });
  return verify("sha256", signingInput, { key, dsaEncoding: "ieee-p1363" }, signature);
}
