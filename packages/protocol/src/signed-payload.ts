import { encodeBase64Url } from "./base64url.ts";

/**
 * The prefixes of signed texts, by kind: no signature over one kind can pass as one over another.
 *
 * Source: S3 "Canonical payloads"; decisions V24 (`signedReading`), A6 (`review`).
 */
export const SIGNED_PREFIXES = {
  handshake: "ds:pp-auth:v1:",
  deployment: "gitforge:deployment:v1:",
  release: "gitforge:ppa:v1:",
  accessPolicy: "ds:access-policy:v1:",
  signedReading: "ds:signed-reading:v1:",
  review: "ds:review:v1:",
} as const;

/**
 * Writes the short text that is signed in place of a longer one.
 *
 * In: `text` exactly as verifiers will have it. Out: the prefix, and the base64url SHA-256 of the text as UTF-8.
 * Refuses: never. Source: S3 "Canonical payloads".
 */
export async function signedPayload(kind: keyof typeof SIGNED_PREFIXES, text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return SIGNED_PREFIXES[kind] + encodeBase64Url(new Uint8Array(digest));
}
