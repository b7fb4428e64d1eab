import { z } from "zod";
import type { AwarenessErrorCode } from "../errors.ts";
import { type AwarenessGroup, BY_STORAGE } from "./operation.ts";

const time = z.iso.datetime({ offset: true });
const challenge = z.strictObject({
  nonce: z.string(),
  audience: z.string().describe("This service's origin; do not sign one that you did not call."),
  issuedAt: time,
  expiresAt: time,
});
const link = z.strictObject({
  id: z.string(),
  title: z.string(),
  proves: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  code: z.string().describe("`ok`, or why the link does not hold."),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean() })).optional(),
});
const session = z.strictObject({
  access_token: z.string(),
  token_type: z.enum(["DPoP", "Bearer"]),
  expires_in: z.int().describe("Seconds."),
});
const verdict = z.strictObject({
  ok: z.boolean(),
  links: z.array(link).length(6),
  claim: z.record(z.string(), z.unknown()).nullable().describe("What the evidence proves; null unless all links hold."),
  failedAt: z.string().nullable().describe("The first link that does not hold."),
  session: session.optional(),
});
const answer = z.looseObject({
  challenge: z.record(z.string(), z.unknown()).describe("The challenge, unchanged."),
  evidence: z.record(z.string(), z.unknown()).describe("The evidence chain of the deployment."),
  signature: z.string().describe("The deployment key's signature of the challenge's payload."),
  tokenBinding: z.string().optional().describe("`none` for a session that is not bound to the deployment key."),
});
const BY_VERIFIER: readonly AwarenessErrorCode[] = [
  "INVALID_REQUEST",
  "HANDSHAKE_UNAVAILABLE",
  "RATE_LIMITED",
  ...BY_STORAGE,
];
const EXAMPLE_CHALLENGE = {
  nonce: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  audience: "https://awareness.example",
  issuedAt: "2026-11-22T09:00:00.000Z",
  expiresAt: "2026-11-22T09:02:00.000Z",
};

/** How a platform proves which release it runs, and gets a session. Source: decisions A1, E9. */
export const handshakeOperations: AwarenessGroup = {
  name: "Platform authentication",
  says: "A deployment proves by its evidence which certified release it runs. It then counts as that platform: for its requests by a session, and for its webhooks until the certificate ends or is revoked.",
  schemas: { HandshakeChallenge: challenge, HandshakeVerdict: verdict },
  operations: [
    {
      id: "requestChallenge",
      method: "post",
      route: "/pp-auth/challenge",
      summary: "Request a challenge",
      says: "For one handshake. It is answered once, before it expires. The body is optional.",
      caller: "anybody",
      body: {
        schema: z.looseObject({ audience: z.string().optional() }),
        required: false,
        example: { audience: EXAMPLE_CHALLENGE.audience },
      },
      answers: [{ status: 200, says: "The challenge.", schema: challenge, example: EXAMPLE_CHALLENGE }],
      refuses: [...BY_VERIFIER, "AUDIENCE_NOT_SERVED", "CHALLENGE_STORE_FULL"],
    },
    {
      id: "verifyHandshake",
      method: "post",
      route: "/pp-auth/verify",
      summary: "Answer a challenge with evidence",
      says: "The answer is 200 whatever the verdict; only a verdict that holds has a session. The body has at most 256 KiB.",
      caller: "anybody",
      body: {
        schema: answer,
        required: true,
        example: { challenge: EXAMPLE_CHALLENGE, evidence: {}, signature: "c2lnbmF0dXJl" },
      },
      answers: [{ status: 200, says: "The verdict on all six links.", schema: verdict }],
      refuses: BY_VERIFIER,
    },
  ],
};
