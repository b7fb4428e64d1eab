import { refusal } from "../errors.ts";
import type { z } from "zod";

/** Reads a JSON body by its schema. Refuses: BAD_USER_INPUT, naming the field. Source: decision V2. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") || "body";
  throw refusal("BAD_USER_INPUT", `${field}: ${issue?.message ?? "wrong"}. Check the body of the request.`, field);
}
