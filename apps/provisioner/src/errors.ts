import { Refusal } from "@dataspace/service-kit/http/refusal";

/** The table of the provisioner's refusals. */
export const PROVISIONER_ERRORS = {
  BAD_REQUEST: { status: 400, when: "The body is not a JSON object, or a member is missing, not text or too long." },
  INVALID_ENTROPY: { status: 400, when: "The entropy token is not one that the registry issued within the last hour." },
  INVALID_NAMESPACE: { status: 400, when: "The namespace is not a UUID." },
  INVALID_PUBLIC_KEY: {
    status: 400,
    when: "The public key does not start with `z`, or does not decode to a P-256 point.",
  },
  INVALID_VERIFICATION: { status: 400, when: "The verification code was never issued here." },
  VERIFICATION_USED: { status: 409, when: "The verification code was used for another vault." },
  ENTROPY_SPENT: { status: 409, when: "The entropy has already been used for a vault; `existingDsid` names it." },
  ENAME_TAKEN: { status: 409, when: "The registry has another vault for the eName." },
  RATE_LIMITED: { status: 429, when: "Too many requests from one address; Retry-After says when to retry." },
  REGISTRY_UNAVAILABLE: { status: 503, when: "The registry does not answer; the same request may be repeated." },
} as const;

/** The provisioner's own refusals; those of its HTTP layer are separate. */
export type ProvisionerErrorCode = keyof typeof PROVISIONER_ERRORS;

/**
 * Makes the refusal of one code, with the status from its table row.
 *
 * In: `message` says what to do; `existingDsid` accompanies ENTROPY_SPENT. Refuses: never. Source: decisions V2, V17.
 */
export function provisionerRefusal(code: ProvisionerErrorCode, message: string, existingDsid?: string): Refusal {
  return new Refusal(code, message, {
    status: PROVISIONER_ERRORS[code].status,
    ...(existingDsid === undefined ? {} : { detail: { existingDsid } }),
  });
}
