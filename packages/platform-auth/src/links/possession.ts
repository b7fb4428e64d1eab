import { challengeText } from "@dataspace/protocol/handshake-challenge";
import { payloadOf } from "../reading/digest.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Link } from "./link.ts";
import { isSamePoint } from "./same-point.ts";

const MEMBERS = ["audience", "expiresAt", "issuedAt", "nonce"] as const;

/** Possession: the caller signed a fresh challenge with the deployment key. Source: S3 "Platform authentication"; decision A1. */
export const possession: Link = {
  id: "possession",
  title: "Possession",
  proves: "The caller signed a fresh challenge with the deployment key.",
  checks: [
    {
      name: "challenge-outstanding",
      code: "challenge_unknown",
      fault: "The challenge was not issued here, or was answered before. Ask for a new one.",
      holds: ({ challenge }) => challenge.stored !== undefined,
    },
    {
      name: "audience",
      code: "audience_mismatch",
      fault: "The challenge was issued for somebody else than the answer addresses.",
      holds: ({ challenge }) => challenge.stored?.audience === challenge.audience,
    },
    {
      name: "challenge-unaltered",
      code: "challenge_altered",
      fault: "The challenge in the answer is not the one that was issued.",
      holds: isUnaltered,
    },
    {
      name: "challenge-fresh",
      code: "challenge_expired",
      fault: "The challenge has expired. Ask for a new one.",
      holds: ({ challenge, nowMs }) => challenge.stored !== undefined && Date.parse(challenge.stored.expiresAt) > nowMs,
    },
    {
      name: "key-present",
      code: "missing_evidence",
      fault: "The evidence has no public key, or no deployment key document.",
      holds: ({ evidence }) => evidence.publicKey !== undefined && evidence.keyDocument !== undefined,
    },
    {
      name: "key-of-document",
      code: "key_mismatch",
      fault: "The public key is not the one that the deployment key document names.",
      holds: ({ evidence }) => {
        const { document, point } = evidence.keyDocument ?? {};
        return document !== undefined && isSamePoint(evidence.point, point);
      },
    },
    {
      name: "signature",
      code: "signature_invalid",
      fault: "The challenge is not signed by the deployment key.",
      holds: async ({ challenge: { stored, signature }, evidence: { point }, ask }) =>
        stored !== undefined &&
        point !== undefined &&
        ask.hasSigned(point, payloadOf("handshake", challengeText(stored)), signature),
    },
  ],
};

// Byte for byte, and nothing added: what is stored is what was to be signed.
function isUnaltered({ challenge: { stored, presented } }: HandshakeFacts): boolean {
  if (stored === undefined || Object.keys(presented).length !== MEMBERS.length) return false;
  return MEMBERS.every((name) => presented[name] === stored[name]);
}
