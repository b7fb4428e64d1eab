import { isUnknownEName } from "@dataspace/clients/certified-keys";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { parseSignedOwnerPolicy, type SignedOwnerPolicy } from "@dataspace/protocol/signed-owner-policy";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import { refusal } from "../errors.ts";

/** Verifies that a payload is an access policy of an owner. Refuses: INVALID_ACCESS_POLICY, REGISTRY_UNAVAILABLE. */
export type VerifyOwnerPolicy = (owner: EName, payload: unknown) => Promise<SignedOwnerPolicy>;

const AHEAD_MS = 60_000;

/**
 * Makes the verifier of owners' access policies. The owner must be subject and signer, a currently certified key of the
 * owner must have made the signature, and the policy must not be issued more than 60 s ahead.
 *
 * Source: S3 "Canonical payloads"; decisions A1, I9.
 */
export function createVerifyOwnerPolicy(deps: {
  readonly clock: Clock;
  readonly hasSigned: HasSigned;
}): VerifyOwnerPolicy {
  return async (owner, payload) => {
    const policy = await parse(payload);
    if (policy.signer !== owner) {
      throw invalidOwnerPolicy("its subject must be the owner of this vault", "statement.subject");
    }
    if (Date.parse(policy.statement.issuedAt) > deps.clock.nowMs() + AHEAD_MS) {
      throw invalidOwnerPolicy("it is issued more than 60 s ahead of this server's time", "statement.issuedAt");
    }
    const signed = { signer: owner, text: policy.payload, signature: policy.signature, fresh: true };
    const isSigned = await deps.hasSigned(signed).catch((error: unknown) => {
      if (isUnknownEName(error)) return false;
      throw refusal("REGISTRY_UNAVAILABLE", "The owner's certified keys are not available now; try again.");
    });
    if (!isSigned) throw invalidOwnerPolicy("no certified key of the owner signed it", "signature");
    return policy;
  };
}

/** The refusal of a policy; `at` is the payload's member at fault. */
export function invalidOwnerPolicy(why: string, at: string): Refusal {
  return refusal("INVALID_ACCESS_POLICY", `This access policy is not taken: ${why}.`, `payload.${at}`);
}

async function parse(payload: unknown): Promise<SignedOwnerPolicy> {
  try {
    return await parseSignedOwnerPolicy(payload);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw refusal("INVALID_ACCESS_POLICY", error.message, error.at === undefined ? "payload" : `payload.${error.at}`);
  }
}
