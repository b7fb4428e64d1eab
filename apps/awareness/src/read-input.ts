import { type EName, parseEName } from "@dataspace/protocol/ename";
import { findMemberLine } from "@dataspace/service-kit/http/json-source";
import { z } from "zod";
import { awarenessRefusal } from "./errors.ts";

const FIRST_MS = 0;
const END_MS = Date.UTC(10_000, 0);
const MAX_NAME_CHARS = 100;
const DIGITS = /^\d{1,9}$/;

/**
 * Reads a body or a query by its schema, which the reference shows too.
 *
 * Refuses: BAD_REQUEST, naming the member and what it must be. Source: decision V2.
 */
export function readInput<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A member that does not exist explains why another is missing, so it is named first.
  const unknown = issues.find(({ code }) => code === "unrecognized_keys");
  if (unknown?.code === "unrecognized_keys") throw unknownMember(schema, { value, issue: unknown });
  const issue = issues[0];
  const at = issue?.path.length ? issue.path.join(".") : "the request";
  throw awarenessRefusal(
    "BAD_REQUEST",
    `Change ${at}: ${issue?.message.replace(/\.$/, "")}.`,
    issue?.path[0]?.toString(),
  );
}

function unknownMember(
  schema: z.ZodType,
  { value, issue }: { readonly value: unknown; readonly issue: z.core.$ZodIssueUnrecognizedKeys },
): Error {
  const name = issue.keys[0] ?? "";
  const isTopLevel = issue.path.length === 0;
  const line = isTopLevel ? findMemberLine(value, name) : undefined;
  const where = line === undefined ? "" : ` on line ${line} of the body`;
  const known = isTopLevel && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const advice = known.length === 0 ? "Leave it out" : `The fields are ${known.join(", ")}`;
  const shown = JSON.stringify(name.slice(0, MAX_NAME_CHARS));
  return awarenessRefusal(
    "BAD_REQUEST",
    `There is no field ${shown}${where}. ${advice}.`,
    name.slice(0, MAX_NAME_CHARS),
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
