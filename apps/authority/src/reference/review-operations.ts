import { z } from "zod";
import type { AuthorityGroup } from "./authority-operation.ts";

const text = z.string().min(1).max(1_024);
const SESSION = "Vq2m8cXxJ0d1r9yT4bKpZsWnE7hLfU3aGiOoQ6RkC5M";
const answered = { says: "It is accepted.", schema: z.strictObject({ success: z.literal(true) }) };

/** What wallets send to the pages of reviewers. Source: S2 "Login flow"; decision A6. */
export const reviewOperations: AuthorityGroup = {
  name: "Review by wallet",
  says: "What wallets send after a reviewer scanned a code of the pages at `/review`. The browser that shows the code then continues. Other members are ignored.",
  schemas: {},
  operations: [
    {
      id: "answerSignIn",
      method: "post",
      route: "/review/callback",
      summary: "Sign in to the review pages",
      says: "The answer to the code of `/review/sign-in`.",
      caller: "anybody",
      body: {
        schema: z.object({
          ename: text.describe("Whose wallet it is."),
          session: text.describe("The session of the code."),
          signature: text.describe("Of the session's text, by a key that is certified for the eName."),
        }),
        required: true,
        example: { ename: "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162", session: SESSION, signature: "-" },
      },
      answers: [{ status: 200, ...answered, example: { success: true } }],
      refuses: ["INVALID_SIGNATURE", "UNKNOWN_SESSION", "SESSION_USED", "KEYS_UNAVAILABLE"],
    },
    {
      id: "answerReview",
      method: "post",
      route: "/review/signature",
      summary: "Sign a decision or a revocation",
      says: "The answer to a `ds://sign` request. The decision is carried out once, as for `POST /submissions/:id/decision` or `POST /certificates/:jti/revoke`.",
      caller: "anybody",
      body: {
        schema: z.object({
          sessionId: text.describe("The session of the request."),
          signature: text.describe("Of the text that the request names, by a key that is certified for the reviewer."),
          dsid: text.optional().describe("The reviewer's eName."),
          message: text.optional().describe("The text that was signed."),
        }),
        required: true,
        example: { sessionId: SESSION, signature: "-" },
      },
      answers: [{ status: 200, ...answered, example: { success: true } }],
      refuses: [
        ...(["INVALID_SIGNATURE", "UNKNOWN_SESSION", "SESSION_USED", "FORBIDDEN", "REGISTRY_UNAVAILABLE"] as const),
        ...(["UNKNOWN_SUBMISSION", "DECIDED", "NOT_AUTHOR", "VERSION_IMMUTABLE", "DOMAINS_NOT_REQUESTED"] as const),
        ...(["UNKNOWN_CERTIFICATE", "REVOKED"] as const),
      ],
    },
  ],
};
