import { Refusal } from "@dataspace/service-kit/http/refusal";

/**
 * Every refusal of the awareness service: its code, its status, and when it is given. The table is closed: no other code leaves
 * the service. Source: decision V2.
 */
export const AWARENESS_ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "The request itself cannot be read: a member or parameter is missing, unknown, malformed or of the wrong type.",
  },
  INVALID_EVENT: {
    status: 400,
    when: "An event sent to /ingest is not one: a member is missing, unknown or of the wrong type; nothing of the request is stored.",
  },
  INVALID_TARGET: {
    status: 400,
    when: "A webhook's target is not a public https address on port 443 under a host name, nor one that the operator lists.",
  },
  BAD_CURSOR: { status: 400, when: "The cursor did not come from this feed." },
  UNAUTHENTICATED: {
    status: 401,
    when: "The request needs a credential and has none, or /ingest was sent another secret.",
  },
  INVALID_TOKEN: { status: 401, when: "The credential is no token or key of this service, or is no longer good." },
  INVALID_SIGNATURE: {
    status: 401,
    when: "The signature of a sign-in is of no key that is certified for the eName now.",
  },
  TOKEN_SPENT: { status: 401, when: "The wallet token has already served its one writing request." },
  WALLET_REQUIRED: { status: 403, when: "Only a wallet token may do this; an API key may not." },
  NOT_AN_ADMIN: {
    status: 403,
    when: "Only the operator's own eNames (DS_AWARENESS_ADMINS) decide who counts as a platform.",
  },
  ORIGIN_NOT_ALLOWED: { status: 403, when: "A web page or host that a development server does not admit." },
  FOREIGN_FORM: { status: 403, when: "A form of the portal was sent from another site, or before you signed in anew." },
  NOT_FOUND: {
    status: 404,
    when: "You have no such subscription, delivery or API key, or there is nothing at this address.",
  },
  SIGN_IN_OVER: {
    status: 404,
    when: "The portal's sign-in that a wallet answers is unknown, was answered already, or is older than 5 minutes.",
  },
  REQUEST_TIMEOUT: { status: 408, when: "The request, or its body, did not arrive within 30 s." },
  METHOD_NOT_ALLOWED: { status: 405, when: "The address does not serve this method." },
  TOO_MANY: {
    status: 409,
    when: "You have as many subscriptions, API keys or open streams as one consumer may have; remove one.",
  },
  REPLAY_RUNNING: {
    status: 409,
    when: "A replay or redrive of this subscription is running; GET .../replay shows its progress.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: "The request has more than 100 events, or its body is larger than is taken.",
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: "The body is not plain application/json." },
  TARGET_UNVERIFIED: {
    status: 422,
    when: "The webhook's target has no address, or did not answer the challenge with 2xx.",
  },
  RATE_LIMITED: {
    status: 429,
    when: "Too many requests of one address, or too many challenges and test webhooks of one consumer or to one host; Retry-After says when to come again.",
  },
  REGISTRY_UNAVAILABLE: {
    status: 503,
    when: "The registry, or the vault of a wallet token's eName, does not answer, so the token cannot be verified now.",
  },
  BUSY: {
    status: 503,
    when: "The bodies that are served at once have reached their limit; Retry-After says when to come again.",
  },
  TOO_MANY_SIGN_INS: {
    status: 503,
    when: "12,000 sign-ins of the portal wait for a wallet. None of them is dropped for a new one.",
  },
  STORAGE_FULL: { status: 503, when: "The storage has no space left." },
  STORAGE_UNAVAILABLE: { status: 503, when: "The storage does not answer." },
  TIMEOUT: { status: 503, when: "A statement ran into its time limit." },
  INTERNAL_ERROR: { status: 500, when: "A fault of ours; the log has the cause." },
} as const;

/** The code of a refusal. */
export type AwarenessErrorCode = keyof typeof AWARENESS_ERRORS;

/**
 * Makes the refusal of one code, with the status that its table row gives.
 *
 * In: `message` says what to do, `field` which member of the input is at fault, if one is. Refuses: never. Source: decision V2.
 */
export function awarenessRefusal(code: AwarenessErrorCode, message: string, field?: string): Refusal {
  const { status } = AWARENESS_ERRORS[code];
  return new Refusal(code, message, field === undefined ? { status } : { status, field });
}
