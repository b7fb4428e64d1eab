import { Refusal } from "@dataspace/service-kit/http/refusal";

const LOGIN_ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "The request cannot be read: a member is missing, malformed or of the wrong type.",
  },
  INVALID_CLIENT_INPUT: {
    status: 400,
    when: "A field of the client form is missing or not allowed; the message names it.",
  },
  UNAUTHENTICATED: { status: 401, when: "A request to the management API has no credential." },
  INVALID_TOKEN: { status: 401, when: "The wallet token does not hold: its audience, its time or its signature." },
  TOKEN_SPENT: { status: 401, when: "The wallet token has served its one change." },
  SIGNATURE_INVALID: { status: 401, when: "No certified key of the eName signed the session. The login ends." },
  NO_CERTIFICATE: { status: 401, when: "The eName has no key binding certificate. The login ends." },
  UNKNOWN_ENAME: { status: 401, when: "The registry knows no vault of the eName. The login ends." },
  UPSTREAM_TIMEOUT: { status: 401, when: "The registry or the vault does not answer in time. The login ends." },
  UPSTREAM_UNAVAILABLE: {
    status: 401,
    when: "The registry or the vault cannot be reached, or its answer is invalid. The login ends.",
  },
  FORBIDDEN: { status: 403, when: "The request lacks the cookie of this login, or comes from another site." },
  UNKNOWN_SESSION: { status: 404, when: "The session does not exist, or a newer one replaced it." },
  UNKNOWN_CLIENT: { status: 404, when: "The signed-in eName has no client with this id." },
  SESSION_USED: { status: 409, when: "The session is signed already, or a signature is being checked." },
  SESSION_EXPIRED: { status: 410, when: "The session is older than its lifetime." },
  TOO_MANY_STREAMS: { status: 429, when: "The login has three open event streams." },
  RATE_LIMITED: { status: 429, when: "Too many requests in a period; Retry-After says when to retry." },
  REGISTRY_UNAVAILABLE: {
    status: 503,
    when: "The keys of a wallet token's eName cannot be read now. Try again.",
  },
  LOGINS_FULL: { status: 503, when: "The connector has reached its limit of pending logins. Try again in a minute." },
} as const;

/** The login connector's own refusals; those of its HTTP layer are separate. */
export type LoginErrorCode = keyof typeof LOGIN_ERRORS;

/**
 * Makes the refusal of one code, with the status from its table row.
 *
 * In: `message` says what to do; `retryAfterSeconds` becomes the header Retry-After. Refuses: never. Source: decision V2.
 */
export function loginRefusal(code: LoginErrorCode, message: string, retryAfterSeconds?: number): Refusal {
  const { status } = LOGIN_ERRORS[code];
  return new Refusal(code, message, { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}
