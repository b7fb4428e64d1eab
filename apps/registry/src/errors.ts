import { Refusal } from "@dataspace/service-kit/http/refusal";

/** The table of the registry's refusals. */
export const REGISTRY_ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "The request cannot be read: a member or parameter is missing, malformed or of the wrong type.",
  },
  BAD_CURSOR: { status: 400, when: "The cursor was not issued by this list." },
  INVALID_PUBLIC_KEY: {
    status: 400,
    when: "The key to certify does not start with `z`, or does not decode to a P-256 point.",
  },
  UNAUTHENTICATED: { status: 401, when: "The registry's shared secret is missing or wrong." },
  INVALID_TOKEN: { status: 401, when: "The wallet token is not valid here." },
  TOKEN_SPENT: { status: 401, when: "The wallet token has changed an address already." },
  FORBIDDEN: { status: 403, when: "A wallet token changes the address of its own eName only." },
  VAULT_UNAVAILABLE: { status: 503, when: "The owner's vault does not answer, so a wallet token cannot be verified." },
  UNKNOWN_ENAME: { status: 404, when: "No vault is registered and no release is recorded for this eName." },
  VERSION_BOUND: { status: 409, when: "The version is recorded with another release tag or commit." },
  ENAME_TAKEN: { status: 409, when: "The eName is registered with another vault." },
  RATE_LIMITED: { status: 429, when: "Too many requests from one address; Retry-After says when to retry." },
  LEGACY_TOKENS_DISABLED: { status: 410, when: "This registry no longer issues legacy platform tokens." },
} as const;

/** The registry's own refusals; those of its HTTP layer (NOT_FOUND, PAYLOAD_TOO_LARGE and so on) are separate. */
export type RegistryErrorCode = keyof typeof REGISTRY_ERRORS;

/**
 * Makes the refusal of one code, with the status from its table row.
 *
 * In: `message` says what to do. Refuses: never. Source: decision V2.
 */
export function registryRefusal(code: RegistryErrorCode, message: string): Refusal {
  return new Refusal(code, message, { status: REGISTRY_ERRORS[code].status });
}
