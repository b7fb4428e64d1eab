import { z } from "zod";
import type { OperationGroup } from "@dataspace/api-reference/operation";
import type { AuthorityErrorCode } from "../errors.ts";

/** Operations of the authority on one subject. */
export type AuthorityGroup = OperationGroup<AuthorityErrorCode, "anybody" | "reviewer">;

/** The id of examples. */
export const EXAMPLE_ID = "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64";

/** An id in an address. */
export const idPath = (name: "id" | "jti"): z.ZodObject =>
  z.strictObject({
    [name]: z
      .guid()
      .describe("The id.")
      .meta({ examples: [EXAMPLE_ID] }),
  });
