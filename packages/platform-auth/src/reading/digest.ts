import { hash } from "node:crypto";
import { SIGNED_PREFIXES } from "@dataspace/protocol/signed-payload";

/** Computes the lower-case hex SHA-256 of a text. Refuses: never. */
export function sha256Hex(text: string): string {
  return hash("sha256", text);
}

/**
 * Writes the text that is signed for a longer one, as `signedPayload` of the protocol does, but at once: a verifier that many
 * ask has no time for WebCrypto's thread.
 *
 * Refuses: never. Source: S3 "Canonical payloads".
 */
export function payloadOf(kind: keyof typeof SIGNED_PREFIXES, text: string): string {
  return SIGNED_PREFIXES[kind] + hash("sha256", text, "base64url");
}
