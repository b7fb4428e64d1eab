import { Refusal } from "@dataspace/service-kit/http/refusal";

/**
 * Every refusal of the awareness service: its code, its status, and when it occurs. The table is closed: no other code
 * leaves the service. Source: decision V2.
 */
export const AWARENESS_ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "The request cannot be read: a member or parameter is missing, unknown, malformed or of the wrong type.",
  },
  INVALID_REQUEST: { status: 400, when: "The body of a handshake request is not the JSON object that it must be." },
  AUDIENCE_NOT_SERVED: {
    status: 400,
    when: "A handshake challenge is requested for another audience than this service.",
  },
  INVALID_EVENT: {
    status: 400,
    when: "An event sent to /ingest is invalid: a member is missing, unknown or of the wrong type. Nothing of the request is stored.",
  },
  INVALID_TARGET: {
    status: 400,
    when: "A webhook's target is neither a public https address on port 443 under a host name nor allowed by the operator.",
  },
  BAD_CURSOR: { status: 400, when: "The cursor was not issued by this feed." },
  UNAUTHENTICATED: {
    status: 401,
    when: "The request needs a credential and has none, or /ingest received a wrong secret.",
  },
  INVALID_TOKEN: { status: 401, when: "The credential is not a token or key of this service, or is no longer valid." },
  INVALID_SIGNATURE: {
    status: 401,
    when: "No key that is certified for the eName now made the signature of the sign-in.",
  },
  TOKEN_SPENT: {
    status: 401,
    when: "The wallet token, or the proof of a platform's session, has already served its one writing request.",
  },
  WALLET_REQUIRED: { status: 403, when: "Only a wallet token may do this; an API key or a session may not." },
  NOT_AN_ADMIN: {
    status: 403,
    when: "Only the operator's own eNames (DS_AWARENESS_ADMINS) decide who counts as a platform.",
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    when: "A development server does not accept requests from this web page or host.",
  },
  FOREIGN_FORM: {
    status: 403,
    when: "A form of the portal was sent from another site, or before you signed in again.",
  },
  NOT_YOUR_OWNER: { status: 403, when: "A vault erases events of an owner whose vault the registry has elsewhere." },
  NOT_FOUND: {
    status: 404,
    when: "You have no such subscription, delivery or API key, or the address does not exist.",
  },
  SIGN_IN_OVER: {
    status: 404,
    when: "The portal's sign-in is unknown, has been answered already, or is older than 5 minutes.",
  },
  REQUEST_TIMEOUT: { status: 408, when: "The request, or its body, did not arrive within 30 s." },
  METHOD_NOT_ALLOWED: { status: 405, when: "The address does not serve this method." },
  TOO_MANY: {
    status: 409,
    when: "You have reached the limit of subscriptions, API keys or open streams; remove one.",
  },
  REPLAY_RUNNING: {
    status: 409,
    when: "A replay or redrive of this subscription is running; GET .../replay shows its progress.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: "The request has more than 100 events, or its body is above the size limit.",
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: "The body is not plain application/json." },
  TARGET_UNVERIFIED: {
    status: 422,
    when: "The webhook's target has no address, or did not answer the challenge with 2xx.",
  },
  RATE_LIMITED: {
    status: 429,
    when: "Too many requests from one address, or too many challenges and test webhooks of one consumer or to one host; Retry-After says when to retry.",
  },
  REGISTRY_UNAVAILABLE: {
    status: 503,
    when: "The registry, or the vault of a wallet token's eName, does not answer, so the token cannot be verified now.",
  },
  STATUS_UNAVAILABLE: {
    status: 503,
    when: "The authority does not say whether the platform's certificate still holds; nothing is passed over meanwhile.",
  },
  BUSY: {
    status: 503,
    when: "The request bodies in progress have reached their limit; Retry-After says when to retry.",
  },
  TOO_MANY_SIGN_INS: {
    status: 503,
    when: "12,000 sign-ins of the portal wait for a wallet. A new one does not replace any of them.",
  },
  CHALLENGE_STORE_FULL: {
    status: 503,
    when: "10,000 handshake challenges are outstanding, or 100 of the source address.",
  },
  HANDSHAKE_UNAVAILABLE: {
    status: 503,
    when: "The service trusts no certifying authority, so no handshake can hold.",
  },
  STORAGE_FULL: { status: 503, when: "The storage has no space left." },
  STORAGE_UNAVAILABLE: { status: 503, when: "The storage does not answer." },
  TIMEOUT: { status: 503, when: "A database statement exceeded its time limit." },
  INTERNAL_ERROR: { status: 500, when: "An internal error; the log has the cause." },
} as const;

/** The code of a refusal. */
export type AwarenessErrorCode = keyof typeof AWARENESS_ERRORS;

/**
 * Makes the refusal of one code, with the status from its table row.
 *
 * In: `message` says what to do, `field` names the input member at fault, if there is one. Refuses: never. Source:
 * decision V2.
 */
export function awarenessRefusal(code: AwarenessErrorCode, message: string, field?: string): Refusal {
  const { status } = AWARENESS_ERRORS[code];
  return new Refusal(code, message, field === undefined ? { status } : { status, field });
}
