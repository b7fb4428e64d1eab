import { createECDH, hash } from "node:crypto";
import { inspect } from "node:util";

const COORDINATE_BYTES = 32;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** A P-256 private key as a JWK. Printing or `JSON.stringify` hides `d`; the member itself is there to import it. */
export interface SigningJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid?: string;
}

/** The result of parsing a JWK: the key, or a description of the fault. */
export type JwkReading = { readonly jwk: SigningJwk } | { readonly fault: string };

/**
 * Reads a private ES256 key from JSON text.
 *
 * In: the text of a JWK. Out: the key, or the fault, which never repeats any part of the text.
 * Refuses: never by an exception. Source: RFC 7517, RFC 7518 6.2; decisions, settings table.
 */
export function readSigningJwk(text: string): JwkReading {
  const members = parseObject(text);
  if (members === undefined) return { fault: "must be a JWK, that is one JSON object" };
  const { kty, crv, alg, x, y, d, kid } = members;
  if (kty !== "EC" || crv !== "P-256") return { fault: 'must be a P-256 key ("kty":"EC", "crv":"P-256")' };
  if (alg !== undefined && alg !== "ES256") return { fault: 'must be a key for ES256 ("alg" says otherwise)' };
  if (kid !== undefined && typeof kid !== "string") return { fault: 'has a "kid" that is not text' };
  if (d === undefined) return { fault: 'must be a private key: the member "d" is missing' };
  if (!isCoordinate(x) || !isCoordinate(y) || !isCoordinate(d)) {
    return { fault: `has a member x, y or d that is not ${COORDINATE_BYTES} bytes in base64url` };
  }
  if (!isKeyPair({ x, y, d })) return { fault: 'has "x" and "y" that do not belong to "d"' };
  return { jwk: hidePrivatePart({ kty, crv, x, y, d, ...(kid === undefined ? {} : { kid }) }) };
}

/**
 * Splits a setting with one JWK or a JWK set into the texts of its keys. Any other text is returned as one key, for its
 * own check to refuse.
 *
 * Refuses: never. Source: RFC 7517 section 5.
 */
export function splitKeySet(text: string): readonly string[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys.map((key) => JSON.stringify(key)) : [text];
  } catch {
    return [text];
  }
}

/** Gives the thumbprint of a P-256 key in base64url, which is its `kid` where it has none. Refuses: never. Source: RFC 7638. */
export function thumbprint({ x, y }: { readonly x: string; readonly y: string }): string {
  const required = JSON.stringify({ crv: "P-256", kty: "EC", x, y });
  return hash("sha256", required, "base64url");
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isCoordinate(value: unknown): value is string {
  return typeof value === "string" && BASE64URL.test(value) && toBytes(value).length === COORDINATE_BYTES;
}

function isKeyPair(key: { readonly x: string; readonly y: string; readonly d: string }): boolean {
  const pair = createECDH("prime256v1");
  try {
    pair.setPrivateKey(toBytes(key.d));
  } catch {
    return false; // zero, or not below the order of the curve
  }
  return pair.getPublicKey().equals(Buffer.concat([Buffer.of(4), toBytes(key.x), toBytes(key.y)]));
}

function toBytes(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}

function hidePrivatePart(jwk: SigningJwk): SigningJwk {
  const shown = () => ({ ...jwk, d: "<redacted>" });
  Object.defineProperty(jwk, "toJSON", { value: shown });
  Object.defineProperty(jwk, inspect.custom, { value: shown });
  return Object.freeze(jwk);
}
