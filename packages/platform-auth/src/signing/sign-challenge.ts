import { handshakePayload, parseHandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { SignText } from "@dataspace/protocol/sign-text";
import { SigningError } from "./signing-error.ts";

/** Whom the deployment called: the owner's eName at a vault, and the time (`nowMs`, milliseconds since the epoch). */
export interface Dialled {
  readonly audience: string;
  readonly nowMs: number;
}

const LONGEST_MS = 300_000;
const SHORTEST_NONCE = 22;

/**
 * Signs a challenge with the deployment key. A vault that relays the challenge of another vault gets no signature.
 *
 * In: the challenge as it was answered. Out: the signature for POST /pp-auth/verify.
 * Refuses: CHALLENGE_REFUSED for another audience than the one that was called, a life over 300 s, or a nonce under 22
 * characters; INVALID_CHALLENGE for what is not a challenge. Source: decision A1.
 */
export async function signChallenge(value: unknown, { audience, nowMs }: Dialled, sign: SignText): Promise<string> {
  const challenge = parseHandshakeChallenge(value);
  if (challenge.audience !== audience)
    throw refused(`it is for ${challenge.audience.slice(0, 64)} and not for ${audience}`);
  if (Date.parse(challenge.expiresAt) - nowMs > LONGEST_MS) throw refused("it lives longer than 300 s");
  if (challenge.nonce.length < SHORTEST_NONCE) throw refused(`its nonce has less than ${SHORTEST_NONCE} characters`);
  return sign(await handshakePayload(challenge));
}

function refused(why: string): SigningError {
  return new SigningError(
    "CHALLENGE_REFUSED",
    `The challenge was not signed: ${why}. Ask this verifier for a challenge of its own.`,
  );
}
