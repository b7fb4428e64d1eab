import { isEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import type { EName } from "@dataspace/protocol/ename";

/** The body of an erasure: whose events, of which record (null: all), up to which time. Source: decision V18. */
export const erasureBody: z.ZodType<{ readonly dsid: EName; readonly id: string | null; readonly before: string }> =
  z.strictObject({
    dsid: z.string().max(64).refine(isEName, "must be an eName").describe("The owner's eName."),
    id: z.string().min(1).max(128).nullable().describe("The record, or null for all of the owner's records."),
    before: z.iso.datetime({ offset: true }).describe("Events that occurred up to this time are erased."),
  });
