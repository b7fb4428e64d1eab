import { encodeBase64Url } from "./base64url.ts";

/** A key that signs tokens: its `kid`, and ECDSA P-256 with SHA-256 over bytes, giving r and s, 64 bytes together. */
export interface JwsSigner {
  readonly kid: string;
  readonly sign: (data: Uint8Array) => Promise<Uint8Array> | Uint8Array;
}

/**
 * Writes a compact JWS with ES256.
 *
 * In: `typ` of the token's kind, its claims. Refuses: as the signer. Source: RFC 7515 section 7.1; RFC 7518 section 3.4.
 */
export async function writeCompactJws(signer: JwsSigner, typ: string, claims: object): Promise<string> {
  const signingInput = `${encodeJson({ alg: "ES256", kid: signer.kid, typ })}.${encodeJson(claims)}`;
  const signature = await signer.sign(new TextEncoder().encode(signingInput));
  return `${signingInput}.${encodeBase64Url(signature)}`;
}

function encodeJson(value: object): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
