import { z } from "zod";
import { type AuthorityGroup, idPath } from "./authority-operation.ts";

const status = z.enum(["pending", "granted", "denied"]);
const submission = z.strictObject({
  statementText: z
    .string()
    .max(16_384)
    .describe("The signed statement: canonical JSON with platform, version, commit, level and domains."),
  payload: z.string().max(4_096).describe("The text that was signed."),
  signature: z.string().max(4_096),
  publicKey: z.string().max(4_096),
  keyBindingCertificate: z.string().max(4_096).describe("The registry's certificate of the author's key."),
});
const stored = z.strictObject({
  submissionId: z.guid(),
  sha256: z.string().describe("The hash of the statement, which the certificate names."),
  status,
  receivedAt: z.iso.datetime(),
  statementText: z.string(),
  decision: z
    .strictObject({
      decision: z.enum(["granted", "denied"]),
      decidedAt: z.iso.datetime(),
      decidedBy: z.string(),
      reason: z.string().nullable(),
    })
    .nullable(),
  certificate: z.string().nullable().describe("The certificate, a JWT, while it is not revoked."),
  certificateId: z.guid().nullable(),
  revoked: z.boolean(),
});
const decision = z.union([
  z.strictObject({
    decision: z.literal("granted"),
    level: z.enum(["L0", "L1", "L2", "L3", "L4", "L5"]),
    domains: z.array(z.string()).describe("At most those that the submission asks for."),
    validDays: z.int().min(1).max(366).optional().describe("90 when absent."),
  }),
  z.strictObject({ decision: z.literal("denied"), reason: z.string().max(1_000) }),
]);

/** What authors send and reviewers decide. Source: decisions A1, A6. */
export const submissionOperations: AuthorityGroup = {
  name: "Submissions",
  says: "Authors ask for certificates, reviewers decide.",
  schemas: { Submission: stored },
  operations: [
    {
      id: "submit",
      method: "post",
      route: "/submissions",
      summary: "Submit a release",
      says: "The same submission sent again answers the one that is there.",
      caller: "anybody",
      body: {
        schema: submission,
        required: true,
        example: { statementText: "{}", payload: "-", signature: "-", publicKey: "-", keyBindingCertificate: "-" },
      },
      answers: [
        {
          status: 201,
          says: "It is stored.",
          schema: z.strictObject({ submissionId: z.guid(), sha256: z.string(), status, receivedAt: z.iso.datetime() }),
        },
      ],
      refuses: [
        ...(["INVALID_SUBMISSION", "SIGNATURE_INVALID", "NOT_AUTHOR", "NONCE_SEEN", "VERSION_IMMUTABLE"] as const),
        ...(["TOO_MANY_PENDING", "REGISTRY_UNAVAILABLE"] as const),
      ],
    },
    {
      id: "listPending",
      method: "get",
      route: "/submissions",
      summary: "List what is pending",
      says: "The oldest first.",
      caller: "reviewer",
      query: z.strictObject({
        limit: z.int().min(1).max(100).optional().describe("20 when absent."),
        cursor: z.guid().optional().describe("`nextCursor` of the page before."),
      }),
      answers: [
        {
          status: 200,
          says: "A page.",
          schema: z.strictObject({ submissions: z.array(stored), nextCursor: z.guid().nullable() }),
          example: { submissions: [], nextCursor: null },
        },
      ],
      refuses: [],
    },
    {
      id: "readSubmission",
      method: "get",
      route: "/submissions/:id",
      summary: "Read a submission",
      says: "Its state, the decision, and the certificate.",
      caller: "anybody",
      path: idPath("id"),
      answers: [{ status: 200, says: "The submission.", schema: stored }],
      refuses: ["UNKNOWN_SUBMISSION"],
    },
    {
      id: "decide",
      method: "post",
      route: "/submissions/:id/decision",
      summary: "Grant or deny a submission",
      says: "A granted one can be granted again from 30 days before its certificate ends: that renews it.",
      caller: "reviewer",
      path: idPath("id"),
      body: {
        schema: decision,
        required: true,
        example: { decision: "granted", level: "L2", domains: ["social"], validDays: 90 },
      },
      answers: [{ status: 200, says: "The submission with its decision.", schema: stored }],
      refuses: ["UNKNOWN_SUBMISSION", "DECIDED", "NOT_AUTHOR", "VERSION_IMMUTABLE", "DOMAINS_NOT_REQUESTED"],
    },
  ],
};
