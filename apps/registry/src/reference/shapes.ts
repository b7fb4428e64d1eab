import { z } from "zod";

// Shapes that several operations share, and the values of their examples.

/** The eName of an owner in examples. */
export const EXAMPLE_ENAME = "@e4d909c2-90d7-4b1b-a7c9-3f6c1f2b8a10";
/** The eName of a platform in examples. */
export const EXAMPLE_PLATFORM = "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162";

/** An eName. */
export const ename: z.ZodString = z.string().describe("An eName: `@` and a UUID.");

/** The base address of a vault. */
export const uri: z.ZodString = z.string().describe("The base address of the vault, without a path.");

/** The vault's own identifier. */
export const vault: z.ZodString = z.string().describe("The identifier that the vault gives itself.");

/** The answer that holds a signed token. */
export const token: z.ZodType = z.strictObject({
  token: z.string().describe("A JWT, signed with ES256 by the registry."),
});
