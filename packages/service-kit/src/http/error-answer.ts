import { Refusal } from "./refusal.ts";

/** An error as HTTP status and JSON body. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: { readonly error: { readonly code: string; readonly message: string } };
  readonly retryAfterSeconds?: number | undefined;
}

const FASTIFY_CODES: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: "PAYLOAD_TOO_LARGE", message: "The request body is too large." },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: "BAD_REQUEST", message: "The request body is empty." },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "Send the body as application/json.",
  },
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: {
    status: 400,
    code: "BAD_REQUEST",
    message: "A request of this method needs the header Content-Type.",
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: "BAD_REQUEST",
    message: "Content-Length does not match the body.",
  },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, code: "NOT_FOUND", message: "There is nothing at such a long path." },
  FST_ERR_BAD_URL: { status: 400, code: "BAD_REQUEST", message: "The request's path is not a valid URL." },
};

/** PostgreSQL's `character_not_in_repertoire`: of the texts that JavaScript sends, only those with U+0000 cause it. */
const UNSTORABLE_TEXT = "22021";

/**
 * Converts any thrown value into an answer. A Refusal keeps its code and message. An error of the HTTP layer has a
 * table, a text with U+0000 that reached the database is 400, a full or unreachable database is 503. Everything else is
 * masked as INTERNAL_ERROR, so that no internal text leaves the service.
 *
 * Source: decision V2.
 */
export function errorToAnswer(error: unknown): ErrorAnswer {
  if (error instanceof Refusal) {
    const { status, code, message, detail, retryAfterSeconds } = error;
    return { status, body: { error: { code, message, ...detail } }, retryAfterSeconds };
  }
  const code = (error as { code?: unknown } | null)?.code;
  const known = typeof code === "string" ? FASTIFY_CODES[code] : undefined;
  if (known !== undefined) return answer(known.status, known.code, known.message);
  if (code === UNSTORABLE_TEXT) return answer(400, "BAD_REQUEST", "A text holds U+0000; remove it.");
  const storage = storageFault(error);
  if (storage !== undefined) return answer(503, storage.code, storage.message);
  return answer(500, "INTERNAL_ERROR", "Something went wrong here; the operator's log has the cause. Try again later.");
}

function answer(status: number, code: string, message: string): ErrorAnswer {
  return { status, body: { error: { code, message } } };
}

/** A storage fault that a caller can only wait for, or undefined for any other error. */
export function storageFault(error: unknown): { readonly code: string; readonly message: string } | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === "string") {
    if (code === "53100")
      return { code: "STORAGE_FULL", message: "The storage is full; nothing was written. Try again later." };
    if (code === "57014")
      return { code: "TIMEOUT", message: "This took too long and was stopped; ask for less at once." };
    if (/^(?:08|57P|53|40|25006|25P03)/.test(code) || /^(?:ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT)/.test(code))
      return UNAVAILABLE;
  }
  return typeof message === "string" &&
    /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect)/.test(message)
    ? UNAVAILABLE
    : undefined;
}

const UNAVAILABLE = { code: "STORAGE_UNAVAILABLE", message: "The storage does not answer; try again." };
