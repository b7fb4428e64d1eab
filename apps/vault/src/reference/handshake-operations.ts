import { z } from "zod";
import { addressedOwner, type VaultGroup } from "./vault-operation.ts";

const challenge = z.looseObject({ nonce: z.string(), expiresAt: z.string() });
const verdict = z.looseObject({
  links: z
    .array(z.looseObject({}))
    .optional()
    .describe("All six links, each with its code, sub-checks and a sentence."),
  claim: z.looseObject({}).nullable().optional().describe("What is proven; null when a link does not hold."),
  session: z
    .looseObject({ access_token: z.string(), token_type: z.enum(["DPoP", "Bearer"]), expires_in: z.int() })
    .optional()
    .describe("A session for this owner's vault, when all links hold."),
});

/** How a platform proves itself. Source: S3 "Platform authentication"; decision A1. */
export const handshakeOperations: VaultGroup = {
  name: "Platform authentication",
  says: "A platform proves by six links which release it runs, and gets a session for one owner's vault.",
  schemas: {},
  operations: [
    {
      id: "getChallenge",
      method: "post",
      route: "/pp-auth/challenge",
      summary: "Get a challenge",
      says: "It is for this owner's vault, for one answer and for 120 seconds unless the operator says otherwise.",
      caller: "addressed",
      headers: addressedOwner,
      answers: [{ status: 200, says: "The challenge, to be signed by the deployment's key.", schema: challenge }],
      refuses: ["INVALID_REQUEST", "AUDIENCE_NOT_SERVED", "CHALLENGE_STORE_FULL", "HANDSHAKE_UNAVAILABLE"],
    },
    {
      id: "proveRelease",
      method: "post",
      route: "/pp-auth/verify",
      summary: "Prove a release",
      says: "The body is at most 256 KiB and 16 levels deep. The answer is 200 whatever the verdict is.",
      caller: "addressed",
      headers: addressedOwner,
      body: {
        schema: z.looseObject({
          challenge: z.looseObject({}).describe("The challenge as it was given."),
          evidence: z.looseObject({}).describe("The links' documents."),
          signature: z.string().describe("The deployment's signature over the challenge."),
          tokenBinding: z.enum(["dpop", "none"]).optional().describe("`dpop` when absent."),
        }),
        required: true,
        example: { challenge: {}, evidence: {}, signature: "" },
      },
      answers: [{ status: 200, says: "The verdict on each link.", schema: verdict }],
      refuses: ["INVALID_REQUEST", "HANDSHAKE_UNAVAILABLE"],
    },
  ],
};
