import { Refusal } from "@dataspace/service-kit/http/refusal";

/** The table of the authority's refusals. */
export const AUTHORITY_ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "The request cannot be read: a member or parameter is missing, malformed or of the wrong type.",
  },
  INVALID_SUBMISSION: {
    status: 400,
    when: "The signed text is not a release submission, or was not signed within the last 10 minutes.",
  },
  SIGNATURE_INVALID: {
    status: 400,
    when: "The submission is not signed by the key that the registry certifies for its author.",
  },
  DOMAINS_NOT_REQUESTED: { status: 400, when: "The decision grants a domain that the submission does not ask for." },
  UNAUTHENTICATED: { status: 401, when: "A wallet token of a reviewer is needed." },
  INVALID_TOKEN: { status: 401, when: "The wallet token does not hold: its signature, audience or times." },
  TOKEN_SPENT: { status: 401, when: "The wallet token has served its one writing request." },
  INVALID_SIGNATURE: {
    status: 401,
    when: "No key that is certified for the eName signed the sign-in, or the text of the review.",
  },
  FORBIDDEN: { status: 403, when: "The eName of the wallet is not a reviewer." },
  FOREIGN_FORM: {
    status: 403,
    when: "A form of the review pages was sent from another site, or before signing in again.",
  },
  NOT_AUTHOR: { status: 403, when: "Another author has certified releases of this platform." },
  UNKNOWN_SUBMISSION: { status: 404, when: "No submission has this id." },
  UNKNOWN_CERTIFICATE: { status: 404, when: "No certificate has this id." },
  UNKNOWN_LIST: { status: 404, when: "No status list has this number." },
  UNKNOWN_SESSION: { status: 404, when: "The code of a sign-in or a review is unknown, or older than 5 minutes." },
  NONCE_SEEN: { status: 409, when: "The author used this nonce in another submission." },
  VERSION_IMMUTABLE: { status: 409, when: "Another submission of this platform and version is certified already." },
  DECIDED: { status: 409, when: "The submission is decided already." },
  REVOKED: { status: 409, when: "The certificate is revoked already." },
  SESSION_USED: { status: 409, when: "The code of a sign-in or a review was answered already." },
  TOO_MANY_PENDING: { status: 429, when: "The author has 20 submissions that are not decided yet." },
  TOO_MANY_REVIEWS: { status: 429, when: "The reviewer has 20 decisions that wait for a signature." },
  TOO_MANY_STREAMS: { status: 429, when: "The browser has three open event streams of a sign-in." },
  RATE_LIMITED: { status: 429, when: "Too many requests from one address; Retry-After says when to retry." },
  REGISTRY_UNAVAILABLE: {
    status: 503,
    when: "The registry, or the vault of the signer, does not answer now. Nothing was stored; try again.",
  },
  KEYS_UNAVAILABLE: {
    status: 503,
    when: "The registry, or the vault of whoever signs in, does not answer now; try again.",
  },
  TOO_MANY_SIGN_INS: { status: 503, when: "12,000 sign-ins wait for a wallet; open the page again in a few minutes." },
} as const;

/** The authority's own refusals; those of its HTTP layer come beside them. */
export type AuthorityErrorCode = keyof typeof AUTHORITY_ERRORS;

/**
 * Makes the refusal of one code, with the status that its table row gives.
 *
 * In: `message` says what to do; `field` names the input at fault. Refuses: never. Source: decision V2.
 */
export function authorityRefusal(code: AuthorityErrorCode, message: string, field?: string): Refusal {
  return new Refusal(code, message, {
    status: AUTHORITY_ERRORS[code].status,
    ...(field === undefined ? {} : { field }),
  });
}
