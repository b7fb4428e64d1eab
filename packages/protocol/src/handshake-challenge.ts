import { canonical } from "./canonical-json.ts";
import { readMembers } from "./read-members.ts";
import { signedPayload } from "./signed-payload.ts";

/** What a verifier gives a deployment to sign once; times are ISO 8601. */
export interface HandshakeChallenge {
  readonly nonce: string;
  readonly audience: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

const MEMBERS = ["nonce", "audience", "issuedAt", "expiresAt"];

/**
 * Parses a challenge: exactly the four members, each text as it was sent.
 *
 * Refuses: INVALID_CHALLENGE with the member. Source: S3 "Resources and their fields"; decision A1.
 */
export function parseHandshakeChallenge(value: unknown): HandshakeChallenge {
  const read = readMembers(value, { code: "INVALID_CHALLENGE", what: "challenge", members: MEMBERS });
  return {
    nonce: read.text("nonce"),
    audience: read.text("audience"),
    issuedAt: read.time("issuedAt"),
    expiresAt: read.time("expiresAt"),
  };
}

/**
 * Writes the text that a deployment signs for a challenge.
 *
 * Out: `ds:pp-auth:v1:` and the base64url SHA-256 of the canonical challenge, its four members alone.
 * Refuses: never for a challenge from `parseHandshakeChallenge`. Source: S3 "Canonical payloads"; decision A1.
 */
export function handshakePayload(challenge: HandshakeChallenge): Promise<string> {
  return signedPayload("handshake", challengeText(challenge));
}

/** Writes the canonical challenge, whose hash is in the payload. Refuses: as `handshakePayload`. Source: S3 "Canonical payloads". */
export function challengeText({ nonce, audience, issuedAt, expiresAt }: HandshakeChallenge): string {
  return canonical({ nonce, audience, issuedAt, expiresAt });
}
