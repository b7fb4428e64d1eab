import { encodeBase64Url } from "./base64url.ts";

/** What a DPoP proof is for: one request with one session's token. Query and fragment of `url` do not count. */
export interface DpopProofInput {
  readonly method: string;
  readonly url: string;
  readonly accessToken: string;
  /** A text that no other proof has. */
  readonly jti: string;
  readonly nowSeconds: number;
}

/** The deployment key: its public half as a JWK, and ECDSA P-256 with SHA-256, giving r and s, 64 bytes together. */
export interface DpopKey {
  readonly publicJwk: { readonly x: string; readonly y: string };
  readonly sign: (data: Uint8Array) => Promise<Uint8Array> | Uint8Array;
}

/**
 * Writes the DPoP proof of one request.
 *
 * Out: the value of the header DPoP. Refuses: as the key. Source: RFC 9449 section 4.2; decision A1.
 */
export async function writeDpopProof({ publicJwk: { x, y }, sign }: DpopKey, input: DpopProofInput): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(input.accessToken));
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty: "EC", crv: "P-256", x, y } };
  const claims = {
    jti: input.jti,
    htm: input.method,
    htu: input.url.split(/[?#]/)[0],
    iat: Math.floor(input.nowSeconds),
    ath: encodeBase64Url(new Uint8Array(digest)),
  };
  const signingInput = `${encodeJson(header)}.${encodeJson(claims)}`;
  return `${signingInput}.${encodeBase64Url(await sign(new TextEncoder().encode(signingInput)))}`;
}

function encodeJson(value: object): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
