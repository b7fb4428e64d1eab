import { storageFault } from "@dataspace/service-kit/http/error-answer";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Log } from "@dataspace/service-kit/log";
import type { VaultErrorCode } from "../errors.ts";
import type { RequestError } from "./request-error.ts";
import type { GraphQLError } from "graphql";

/** The errors of an execution in the answer, and its HTTP status. */
export interface AnsweredErrors {
  readonly errors: readonly RequestError[];
  readonly status: number;
}

/**
 * Converts the errors of an execution into the answer. A refusal keeps its code, a storage fault is 503, faulty
 * variables are BAD_USER_INPUT. Everything else is logged and masked as INTERNAL_ERROR.
 *
 * In: `hasRun` is false when the request was refused before any resolver ran. Source: decision V2.
 */
export function errorsToAnswer(
  errors: readonly GraphQLError[],
  { hasRun, log }: { readonly hasRun: boolean; readonly log: Log },
): AnsweredErrors {
  const answered = errors.map((error) => toRequestError(error, hasRun, log));
  const codes = new Set(answered.map((error) => error.extensions.code));
  const unavailable = codes.has("STORAGE_FULL") || codes.has("STORAGE_UNAVAILABLE") || codes.has("TIMEOUT");
  return { errors: answered, status: unavailable ? 503 : hasRun ? 200 : 400 };
}

function toRequestError(error: GraphQLError, hasRun: boolean, log: Log): RequestError {
  const cause = error.originalError;
  const place = {
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
  };
  if (cause instanceof Refusal) return { message: cause.message, ...place, extensions: refusalExtensions(cause) };
  const fault = storageFault(cause);
  if (fault !== undefined) {
    return { message: fault.message, ...place, extensions: { code: fault.code as VaultErrorCode } };
  }
  if (!hasRun) return { message: safeMessage(error), ...place, extensions: { code: "BAD_USER_INPUT" } };
  log.error({ err: cause ?? error }, "a GraphQL operation failed");
  const message = "Something went wrong here; the operator's log has the cause. Try again later.";
  return { message, ...place, extensions: { code: "INTERNAL_ERROR" } };
}

function refusalExtensions(cause: Refusal): RequestError["extensions"] {
  const code = cause.code as VaultErrorCode;
  return cause.field === undefined ? { code } : { code, field: cause.field };
}

/** Removes the library's suggestion from a message: it would reveal the schema where introspection is off. */
export function withoutSuggestion(message: string): string {
  return message.split(" Did you mean ", 1)[0] as string;
}

// The library's message repeats the faulty value, which may be a whole payload.
function safeMessage(error: GraphQLError): string {
  return withoutSuggestion(error.message).slice(0, 300);
}
