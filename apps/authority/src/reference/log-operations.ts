import { z } from "zod";
import type { AuthorityGroup } from "./authority-operation.ts";

const size = z.int().min(1).optional().describe("The size of the log that the proof is for; its size now when absent.");
const path = z.array(z.string()).describe("Hashes in base64url.");
const review = z.strictObject({
  reviewer: z.string().describe("The reviewer's eName."),
  statement: z.string().nullable().describe("The decision in canonical JSON; null where a wallet token was signed."),
  payload: z.string().describe("The text that the wallet signed."),
  signature: z.string(),
  publicKey: z.string(),
  keyBindingCertificate: z.string().describe("The registry's certificate of the key, in force at the decision."),
});

/** The log of what was issued, and its proofs. Source: RFC 9162. */
export const logOperations: AuthorityGroup = {
  name: "Log",
  says: "An append-only log of everything that was issued and revoked. Its proofs (RFC 9162) show that an entry is in it, and that it only grows.",
  schemas: {},
  operations: [
    {
      id: "readCheckpoint",
      method: "get",
      route: "/log/checkpoint",
      summary: "Read the size and the root of the log",
      says: "The checkpoint is a JWT over both.",
      caller: "anybody",
      answers: [
        {
          status: 200,
          says: "The checkpoint.",
          schema: z.strictObject({ size: z.int(), root: z.string(), checkpoint: z.string() }),
        },
      ],
      refuses: [],
    },
    {
      id: "listEntries",
      method: "get",
      route: "/log/entries",
      summary: "List entries",
      says: "In the order in which they were added.",
      caller: "anybody",
      query: z.strictObject({
        from: z.int().min(0).optional().describe("The first one; 0 when absent."),
        limit: z.int().min(1).max(100).optional().describe("100 when absent."),
      }),
      answers: [
        { status: 200, says: "A page.", schema: z.strictObject({ from: z.int(), entries: z.array(z.unknown()) }) },
      ],
      refuses: [],
    },
    {
      id: "listReviews",
      method: "get",
      route: "/log/reviews",
      summary: "List what reviewers signed under entries",
      says: "In the order of the entries, null for an entry without a review. `review_sha256` in the entry is the digest of the review: base64url SHA-256 of its canonical JSON (RFC 8785). A wallet token is shown two minutes after it has expired.",
      caller: "anybody",
      query: z.strictObject({
        from: z.int().min(0).optional().describe("The first entry; 0 when absent."),
        limit: z.int().min(1).max(100).optional().describe("100 when absent."),
      }),
      answers: [
        {
          status: 200,
          says: "A page.",
          schema: z.strictObject({ from: z.int(), reviews: z.array(review.nullable()) }),
        },
      ],
      refuses: [],
    },
    {
      id: "proveEntry",
      method: "get",
      route: "/log/proof",
      summary: "Prove that an entry is in the log",
      says: "The hashes with which the entry's hash leads to the root.",
      caller: "anybody",
      query: z.strictObject({
        leaf: z
          .int()
          .min(0)
          .describe("The entry's place.")
          .meta({ examples: [0] }),
        size,
      }),
      answers: [{ status: 200, says: "The proof.", schema: z.strictObject({ leaf: z.int(), size: z.int(), path }) }],
      refuses: [],
    },
    {
      id: "proveGrowth",
      method: "get",
      route: "/log/consistency",
      summary: "Prove that the log only grew",
      says: "The hashes with which an earlier root leads to a later one.",
      caller: "anybody",
      query: z.strictObject({
        earlier: z
          .int()
          .min(1)
          .describe("The earlier size.")
          .meta({ examples: [1] }),
        size,
      }),
      answers: [{ status: 200, says: "The proof.", schema: z.strictObject({ earlier: z.int(), size: z.int(), path }) }],
      refuses: [],
    },
    {
      id: "readHealth",
      method: "get",
      route: "/healthz",
      summary: "Ask whether it is up",
      says: "It answers without asking its storage.",
      caller: "anybody",
      answers: [{ status: 200, says: "It is up.", schema: z.strictObject({ status: z.literal("ok") }) }],
      refuses: [],
    },
  ],
};
