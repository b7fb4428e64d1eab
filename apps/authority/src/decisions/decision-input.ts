import { isDomainList } from "@dataspace/protocol/domain-list";
import { z } from "zod";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";
import { authorityRefusal } from "../errors.ts";

/** The levels of a certificate, the lowest first. */
export const LEVELS = ["L0", "L1", "L2", "L3", "L4", "L5"] as const;
/** How long a certificate lives unless the reviewer says otherwise. */
export const DEFAULT_DAYS = 90;
/** Verifiers refuse a certificate that lives longer. */
export const MOST_DAYS = 366;
const reason = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "must be text without NUL");

/** A reviewer's decision as it was sent. `validDays` is how long the certificate lives. */
export type DecisionInput = Grant | { readonly decision: "denied"; readonly reason: string };

/** A release is certified at a level, for some of the domains that it asks for. */
export interface Grant {
  readonly decision: "granted";
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
  readonly validDays: number;
  readonly reason?: string | undefined;
}

const decision: z.ZodType<DecisionInput> = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("granted"),
    level: z.enum(LEVELS),
    domains: z.custom<readonly string[]>(isDomainList, "is a list of at most 32 distinct domains"),
    validDays: z.number().int().min(1).max(MOST_DAYS).default(DEFAULT_DAYS),
    reason: reason.optional(),
  }),
  z.object({ decision: z.literal("denied"), reason }),
]);
const revocation: z.ZodType<{ readonly reason: string }> = z.object({ reason });

/** Reads a decision. Refuses: BAD_REQUEST, naming the member. Source: decision A1. */
export function readDecision(body: unknown): DecisionInput {
  return read(decision, body);
}

/** Reads why a certificate is revoked. Refuses: BAD_REQUEST, naming the member. Source: decision A1. */
export function readRevocation(body: unknown): { readonly reason: string } {
  return read(revocation, body);
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const member = issue?.path.join(".") || "the body";
  const message = `Correct ${member}: ${issue?.message ?? "it cannot be read"}.`;
  throw authorityRefusal("BAD_REQUEST", message, issue?.path[0]?.toString());
}
