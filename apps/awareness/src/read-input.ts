import { type EName, parseEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import { awarenessRefusal } from "./errors.ts";

const FIRST_MS = 0;
const END_MS = Date.UTC(10_000, 0);
const DIGITS = /^\d{1,9}$/;

/**
 * Reads a body or a query by its schema, which the reference shows too.
 *
 * Refuses: BAD_REQUEST, naming the member and what it must be. Source: decision V2.
 */
export function readInput<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue?.path.length ? issue.path.join(".") : "the request";
  throw awarenessRefusal(
    "BAD_REQUEST",
    `Change ${at}: ${issue?.message.replace(/\.$/, "")}.`,
    issue?.path[0]?.toString(),
  );
}

/** A whole number as a query writes it: up to nine digits and nothing else. Refuses: whatever `schema` does. */
export function queryNumber<Output>(schema: z.ZodType<Output, number | undefined>): z.ZodType<Output> {
  return z.preprocess((value) => (typeof value === "string" && DIGITS.test(value) ? Number(value) : value), schema);
}

/** An eName in any spelling; the result is canonical. Source: decision I1. */
export const eNameInput: z.ZodType<EName, string> = z.string().transform((text, context) => {
  try {
    return parseEName(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
});

/** A time with its offset; the result is milliseconds since the epoch. Source: RFC 3339. */
export const timeInput: z.ZodType<number, string> = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z" })
  .max(40)
  .transform((text) => Date.parse(text))
  .refine((ms) => ms >= FIRST_MS && ms < END_MS, "must be a time from 1970 to 9999");
