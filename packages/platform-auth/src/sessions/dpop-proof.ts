import { decodeBase64Url, encodeBase64Url } from "@dataspace/protocol/base64url";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { parseSignedJson } from "@dataspace/protocol/signed-json";
import { thumbprint } from "@dataspace/service-kit/signing-jwk";
import { LRUCache } from "lru-cache";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import { type Members, readOrUndefined, toMembers } from "../reading/read-members.ts";

/** What a proof must be about: the session's key, its token's hash, and the request. `url` is without its query. */
export interface ExpectedProof {
  readonly keyThumbprint: string;
  /** The base64url SHA-256 of the access token. */
  readonly tokenHash: string;
  readonly method: string;
  readonly url: string;
  /** Undefined: its time was checked before. */
  readonly nowSeconds: number | undefined;
}

/** What a proof that holds is known by. */
export interface DpopProof {
  readonly jti: string;
  readonly issuedAtSeconds: number;
}

/** Verifies a proof. Out: undefined for one that does not hold. */
export type VerifyDpopProof = (text: string, expected: ExpectedProof) => Promise<DpopProof | undefined>;

/** The header of a session's last proof as it was sent, and the session's key in it, as SPKI. */
interface KnownHeader {
  readonly text: string;
  readonly spki: Uint8Array;
}

const MAX_CHARACTERS = 4_096;
const SKEW_SECONDS = 60;
const COORDINATE_BYTES = 32;
const SIGNATURE_BYTES = 64;
const JTI = /^[\x21-\x7e]{1,128}$/;
const KEPT_HEADERS = 10_000;
const LONGEST_KEPT = 512;

/**
 * Makes the check of DPoP proofs; that a proof is used once is the caller's to check.
 *
 * In: `text`, the value of the header DPoP; `verifyEcdsa` takes a key as SPKI. Out: undefined for a proof that does not hold: of
 * another key, method, address or token, more than 60 s off, or not signed by its key. A client's proofs all have one header, so
 * the last valid header of each key is remembered; every signature is checked.
 * Refuses: never. Source: RFC 9449 section 4.3; decision A1.
 */
export function createVerifyDpopProof(verifyEcdsa: EcdsaVerify<Uint8Array>): VerifyDpopProof {
  const headers = new LRUCache<string, KnownHeader>({ max: KEPT_HEADERS });
  function keyOf(headerText: string, keyThumbprint: string): Uint8Array | undefined {
    const known = headers.get(keyThumbprint);
    if (known?.text === headerText) return known.spki;
    const key = readKey(readJson(headerText));
    if (key === undefined || thumbprint(key) !== keyThumbprint) return undefined;
    const spki = pointToSpki(key.point);
    if (headerText.length <= LONGEST_KEPT) headers.set(keyThumbprint, { text: headerText, spki });
    return spki;
  }
  return async (text, expected) => {
    const parts = text.length <= MAX_CHARACTERS ? text.split(".") : [];
    const [headerText, payloadText, signatureText] = parts;
    if (parts.length !== 3 || headerText === undefined || payloadText === undefined || signatureText === undefined)
      return undefined;
    const signature = decodeBase64Url(signatureText);
    const spki = keyOf(headerText, expected.keyThumbprint);
    const proof = readProof(readJson(payloadText), expected);
    if (signature?.length !== SIGNATURE_BYTES || spki === undefined || proof === undefined) return undefined;
    const signingInput = Buffer.from(text.slice(0, text.lastIndexOf(".")));
    return (await verifyEcdsa(spki, signingInput, signature)) ? proof : undefined;
  };
}

function readProof(payload: Members | undefined, expected: ExpectedProof): DpopProof | undefined {
  const { htm, htu, ath, iat, jti } = payload ?? {};
  const isOfRequest = htm === expected.method && isSameAddress(htu, expected.url) && ath === expected.tokenHash;
  if (!isOfRequest || typeof iat !== "number") return undefined;
  const { nowSeconds = iat } = expected;
  if (Math.abs(nowSeconds - iat) > SKEW_SECONDS) return undefined;
  return typeof jti === "string" && JTI.test(jti) ? { jti, issuedAtSeconds: iat } : undefined;
}

function readJson(base64Url: string): Members | undefined {
  const bytes = decodeBase64Url(base64Url);
  if (bytes === undefined) return undefined;
  return readOrUndefined(() => toMembers(parseSignedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes))));
}

// The thumbprint is that of the deployment key, so no session is bound to a point off the curve.
function readKey(
  header: Members | undefined,
): { readonly x: string; readonly y: string; readonly point: Uint8Array } | undefined {
  const { typ, alg, jwk, crit } = header ?? {};
  const { kty, crv, x, y, d } = toMembers(jwk) ?? {};
  if (typ !== "dpop+jwt" || alg !== "ES256" || crit !== undefined || d !== undefined) return undefined;
  if (kty !== "EC" || crv !== "P-256" || typeof x !== "string" || typeof y !== "string") return undefined;
  const [xBytes, yBytes] = [decodeBase64Url(x), decodeBase64Url(y)];
  if (xBytes?.length !== COORDINATE_BYTES || yBytes?.length !== COORDINATE_BYTES) return undefined;
  return { x, y, point: Uint8Array.of(4, ...xBytes, ...yBytes) };
}

/** Gives the thumbprint of a key's point, by which a session is bound to it. Refuses: never. Source: RFC 7638; RFC 9449 section 6. */
export function pointThumbprint(point: Uint8Array): string {
  return thumbprint({ x: encodeBase64Url(point.subarray(1, 33)), y: encodeBase64Url(point.subarray(33)) });
}

function isSameAddress(value: unknown, url: string): boolean {
  return value === url || toAddress(value) === toAddress(url);
}

// As a URL writes it, without query and fragment.
function toAddress(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url === null ? undefined : url.origin + url.pathname;
}
