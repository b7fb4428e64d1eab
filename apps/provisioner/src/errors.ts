import { Refusal } from "@dataspace/service-kit/refusal";

const PROVISIONER_ERRORS = {
  /** The body is no JSON object, or a member is missing or not text. */
  BAD_REQUEST: 400,
  /** The entropy token is not one that the registry issued within the last hour. */
  INVALID_ENTROPY: 400,
  /** The namespace is not a UUID. */
  INVALID_NAMESPACE: 400,
  /** The public key does not start with `z`, or does not decode to a P-256 point. */
  INVALID_PUBLIC_KEY: 400,
  /** The verification code was never issued here. */
  INVALID_VERIFICATION: 400,
  /** The verification code was used for another vault. */
  VERIFICATION_USED: 409,
  /** The entropy gave a vault before; `existingDsid` names it. */
  ENTROPY_SPENT: 409,
  /** The registry has another vault for the eName. */
  ENAME_TAKEN: 409,
  /** The registry does not answer; the same request may be repeated. */
  REGISTRY_UNAVAILABLE: 503,
} as const;

/** The provisioner's own refusals; those of its HTTP layer come beside them. */
export type ProvisionerErrorCode = keyof typeof PROVISIONER_ERRORS;

/**
 * Makes the refusal of one code, with the status that its table row gives.
 *
 * In: `message` says what to do; `existingDsid` goes with ENTROPY_SPENT. Refuses: never. Source: decisions V2, V17.
 */
export function provisionerRefusal(code: ProvisionerErrorCode, message: string, existingDsid?: string): Refusal {
  return new Refusal(code, message, {
    status: PROVISIONER_ERRORS[code],
    ...(existingDsid === undefined ? {} : { detail: { existingDsid } }),
  });
}
