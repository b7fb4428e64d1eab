import { z } from "zod";
import type { OperationGroup } from "@dataspace/api-reference/operation";
import type { VaultErrorCode } from "../errors.ts";

/** Who may call an operation. */
export type Caller = "anybody" | "addressed" | "caller" | "owner";

/** Operations of the vault on one subject. */
export type VaultGroup = OperationGroup<VaultErrorCode, Caller>;

/** The eName of examples. */
export const EXAMPLE_ENAME = "@e4d909c2-90d7-4b1b-a7c9-3f6c1f2b8a10";

/** The header that names the addressed owner. Source: S1 "X-ENAME". */
export const addressedOwner: z.ZodObject = z.strictObject({
  "x-ename": z
    .string()
    .describe("The eName of the owner whose vault is addressed.")
    .meta({ examples: [EXAMPLE_ENAME] }),
});

/** A page of a list without GraphQL. Source: decision V3. */
export const pageQuery: z.ZodObject = z.strictObject({
  limit: z.int().min(1).optional().describe("At most so many; 20 when absent, and never more than 100."),
  cursor: z.string().optional().describe("`nextCursor` of the page before."),
});

/** The members of every page. */
export const pageMembers: Readonly<Record<"nextCursor" | "hasMore", z.ZodType>> = {
  nextCursor: z.string().nullable().describe("Where to go on; null at the end."),
  hasMore: z.boolean(),
};
