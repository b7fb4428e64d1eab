import { z } from "zod";
import type { Api, ErrorRow } from "./api.ts";
import type { ApiAnswer } from "./open-api.ts";
import type { Operation } from "./operation.ts";

const BY_EVERY_OPERATION = ["BAD_REQUEST", "ORIGIN_NOT_ALLOWED", "INTERNAL_ERROR"];
const BY_WHAT_MAY_HAVE_A_BODY = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
/** Methods for which a wallet token is not spent. */
const READS = ["get", "head"];

/** The body of every refusal: one of the table's codes, and what to do. Source: decision V2. */
export function createRefusalBody({ errors, more = {} }: Pick<Api, "errors" | "more">): z.ZodType {
  const codes = Object.entries(errors).map(([code, { status, when }]) =>
    z.literal(code).describe(`${status}: ${when}`),
  );
  return z.strictObject({
    ...more.refusalMembers,
    error: z.strictObject({
      code: z.union(codes).describe("Which refusal it is; compare this."),
      message: z.string().describe("What to do, for people."),
    }),
  });
}

type CodedRow = ErrorRow & { readonly code: string };

/**
 * Lists the refusals of an operation, by status, each with its possible codes.
 *
 * Refuses: never. Source: decision V2.
 */
export function refusalAnswers(
  { errors, callers }: Pick<Api, "errors" | "callers">,
  operation: Operation,
): Readonly<Record<string, ApiAnswer>> {
  const caller = callers[operation.caller];
  const isRead = READS.includes(operation.method);
  const codes = new Set([
    ...operation.refuses,
    ...(caller?.refuses ?? []),
    ...BY_EVERY_OPERATION,
    ...(isRead ? [] : BY_WHAT_MAY_HAVE_A_BODY),
    ...(isRead || !caller?.spendsToken ? [] : ["TOKEN_SPENT"]),
  ]);
  const rows = Object.entries(errors).map(([code, row]): CodedRow => ({ code, ...row }));
  const byStatus = Object.groupBy(
    rows.filter(({ code }) => codes.has(code)),
    ({ status }) => String(status),
  );
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, found = []]) => [status, toAnswer(caller?.isChallenged, status, found)]),
  );
}

function toAnswer(isChallenged: boolean | undefined, status: string, errors: readonly CodedRow[]): ApiAnswer {
  const codes = errors.map(({ code }) => code);
  const refusal = {
    allOf: [
      { $ref: "#/components/schemas/Refusal" },
      { properties: { error: { properties: { code: { enum: codes } } } } },
    ],
  };
  return {
    description: errors.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n"),
    ...(status === "429" ? { headers: { "retry-after": RETRY_AFTER } } : {}),
    ...(status === "401" && isChallenged ? { headers: { "www-authenticate": CHALLENGE } } : {}),
    content: { "application/json": { schema: refusal } },
  };
}

const RETRY_AFTER = { description: "Seconds until there is room again.", schema: { type: "integer" } };
const CHALLENGE = { description: "`Bearer`", schema: { const: "Bearer" } };
