import { decodeBase64Url, encodeBase64Url } from "@dataspace/protocol/base64url";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { parseSignedJson } from "@dataspace/protocol/signed-json";
import { thumbprint } from "@dataspace/service-kit/signing-jwk";
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

/** A proof taken apart, not verified. */
interface ProofParts {
  readonly header: Members;
  readonly payload: Members;
  readonly signingInput: Uint8Array;
  readonly signature: Uint8Array;
}

const MAX_CHARACTERS = 4_096;
const SKEW_SECONDS = 60;
const COORDINATE_BYTES = 32;
const JTI = /^[\x21-\x7e]{1,128}$/;

/**
 * Verifies a DPoP proof; that it is used once is the caller's to check.
 *
 * In: `text`, the value of the header DPoP; `verifyEcdsa` takes a key as SPKI. Out: undefined for a proof that does not hold: of
 * another key, method, address or token, more than 60 s off, or not signed by its key.
 * Refuses: never. Source: RFC 9449 section 4.3; decision A1.
 */
export async function verifyDpopProof(
  verifyEcdsa: EcdsaVerify<Uint8Array>,
  text: string,
  expected: ExpectedProof,
): Promise<DpopProof | undefined> {
  const parts = takeApart(text);
  const key = parts && readKey(parts.header);
  if (parts === undefined || key === undefined || thumbprint(key) !== expected.keyThumbprint) return undefined;
  const { htm, htu, ath, iat, jti } = parts.payload;
  const isOfRequest =
    htm === expected.method && toAddress(htu) === toAddress(expected.url) && ath === expected.tokenHash;
  if (!isOfRequest || typeof iat !== "number") return undefined;
  const { nowSeconds = iat } = expected;
  if (Math.abs(nowSeconds - iat) > SKEW_SECONDS) return undefined;
  if (typeof jti !== "string" || !JTI.test(jti)) return undefined;
  const isSigned = await verifyEcdsa(pointToSpki(key.point), parts.signingInput, parts.signature);
  return isSigned ? { jti, issuedAtSeconds: iat } : undefined;
}

function takeApart(text: string): ProofParts | undefined {
  const texts = text.length <= MAX_CHARACTERS ? text.split(".") : [];
  const [header, payload, signature] = texts.map(decodeBase64Url);
  if (texts.length !== 3 || header === undefined || payload === undefined || signature?.length !== 64) return undefined;
  const parsed = { header: readJson(header), payload: readJson(payload) };
  if (parsed.header === undefined || parsed.payload === undefined) return undefined;
  const signingInput = new TextEncoder().encode(text.slice(0, text.lastIndexOf(".")));
  return { header: parsed.header, payload: parsed.payload, signingInput, signature };
}

function readJson(bytes: Uint8Array): Members | undefined {
  return readOrUndefined(() => toMembers(parseSignedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes))));
}

// The thumbprint is that of the deployment key, so no session is bound to a point off the curve.
function readKey(header: Members): { readonly x: string; readonly y: string; readonly point: Uint8Array } | undefined {
  const { typ, alg, jwk, crit } = header;
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

// As a URL writes it, without query and fragment.
function toAddress(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url === null ? undefined : url.origin + url.pathname;
}
