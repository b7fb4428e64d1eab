import { Refusal } from "@dataspace/service-kit/refusal";

const REGISTRY_ERRORS = {
  /** The request itself cannot be read: a member or parameter is missing, malformed or of the wrong type. */
  BAD_REQUEST: 400,
  /** The cursor did not come from this list. */
  BAD_CURSOR: 400,
  /** The key to certify does not start with `z`, or does not decode to a P-256 point. */
  INVALID_PUBLIC_KEY: 400,
  /** The registry's shared secret is missing or another one. */
  UNAUTHENTICATED: 401,
  /** No vault is registered for this eName. */
  UNKNOWN_ENAME: 404,
  /** The eName is registered with another vault. */
  ENAME_TAKEN: 409,
  /** This registry no longer issues legacy platform tokens. */
  LEGACY_TOKENS_DISABLED: 410,
} as const;

/** The registry's own refusals; those of its HTTP layer (NOT_FOUND, PAYLOAD_TOO_LARGE and so on) come beside them. */
export type RegistryErrorCode = keyof typeof REGISTRY_ERRORS;

/**
 * Makes the refusal of one code, with the status that its table row gives.
 *
 * In: `message` says what to do. Refuses: never. Source: decision V2.
 */
export function registryRefusal(code: RegistryErrorCode, message: string): Refusal {
  return new Refusal(code, message, { status: REGISTRY_ERRORS[code] });
}
