import { z } from "zod";
import { AWARENESS_ERRORS, type AwarenessErrorCode } from "../errors.ts";
import type { ApiAnswer } from "./open-api.ts";
import { CALLERS, type Caller, type Operation } from "./operation.ts";

const ERRORS = Object.entries(AWARENESS_ERRORS).map(([code, row]) => ({ code: code as AwarenessErrorCode, ...row }));
const BY_EVERY_OPERATION: readonly AwarenessErrorCode[] = ["BAD_REQUEST", "ORIGIN_NOT_ALLOWED", "INTERNAL_ERROR"];
const BY_WHAT_MAY_HAVE_A_BODY: readonly AwarenessErrorCode[] = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

// Methods for which a wallet token is spent.
const BY_A_WRITE: readonly AwarenessErrorCode[] = ["TOKEN_SPENT"];
const BY_WALLET: ReadonlySet<Caller> = new Set(["consumer", "wallet", "admin"]);

/** The body of every refusal: one of the table's codes, and what to do. Source: decision V2. */
export const refusalBody: z.ZodType = z.strictObject({
  error: z.strictObject({
    code: z
      .union(ERRORS.map(({ code, status, when }) => z.literal(code).describe(`${status}: ${when}`)))
      .describe("Which refusal it is; compare this."),
    message: z.string().describe("What to do, for people."),
  }),
});

/**
 * Lists the refusals of an operation, by status, each with its possible codes.
 *
 * Refuses: never. Source: decision V2.
 */
export function refusalAnswers(operation: Operation): Readonly<Record<string, ApiAnswer>> {
  const codes = new Set([
    ...operation.refuses,
    ...CALLERS[operation.caller].refuses,
    ...BY_EVERY_OPERATION,
    ...(operation.method === "get" ? [] : BY_WHAT_MAY_HAVE_A_BODY),
    ...(operation.method === "get" || !BY_WALLET.has(operation.caller) ? [] : BY_A_WRITE),
  ]);
  const byStatus = Object.groupBy(
    ERRORS.filter(({ code }) => codes.has(code)),
    ({ status }) => String(status),
  );
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, errors = []]) => [status, toAnswer(operation, status, errors)]),
  );
}

function toAnswer(operation: Operation, status: string, errors: typeof ERRORS): ApiAnswer {
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
    ...(status === "401" && operation.caller === "vault" ? { headers: { "www-authenticate": CHALLENGE } } : {}),
    content: { "application/json": { schema: refusal } },
  };
}

const RETRY_AFTER = { description: "Seconds until there is room again.", schema: { type: "integer" } };
const CHALLENGE = { description: "`Bearer`", schema: { const: "Bearer" } };
