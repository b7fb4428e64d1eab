import type { AnswerFailure } from "./pending-logins.ts";

/** A refusal as a platform answers it over HTTP. */
export interface LoginRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Whether the connection is closed after the answer, since the rest of the request's body is not read. */
  readonly closes?: boolean;
}

const UNKNOWN = {
  status: 404,
  code: "UNKNOWN_SESSION",
  message: "This code is unknown or too old. Load the login page again.",
};
const NOT_SIGNED = {
  status: 401,
  code: "INVALID_SIGNATURE",
  message: "The session is not signed by a key that is certified for this eName.",
};
const UNAVAILABLE = {
  status: 503,
  code: "KEYS_UNAVAILABLE",
  message: "The registry or the eName's vault does not answer now. Try again in a while.",
};

/** The refusal for each way in which an answer fails. Source: S2 "Errors"; decision L4. */
export const REFUSAL_BY_FAILURE: Readonly<Record<AnswerFailure, LoginRefusal>> = {
  unknown_session: UNKNOWN,
  session_expired: UNKNOWN,
  session_used: {
    status: 409,
    code: "SESSION_USED",
    message: "This code was used already. Load the login page again for a new one.",
  },
  bad_signature: NOT_SIGNED,
  no_certificate: NOT_SIGNED,
  unknown_ename: NOT_SIGNED,
  upstream_timeout: UNAVAILABLE,
  upstream_unavailable: UNAVAILABLE,
};

/** The refusal of an answer that cannot be read. In: the sentence that says why. Refuses: never. */
export function malformedAnswer(message: string): LoginRefusal {
  return { status: 400, code: "BAD_REQUEST", message };
}
