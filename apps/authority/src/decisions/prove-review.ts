import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { FindSigner } from "@dataspace/clients/find-signer";
import type { SignedReview } from "@dataspace/platform-auth/log/signed-review";
import { authorityRefusal } from "../errors.ts";

/** A text that a reviewer's wallet signed, and the statement of which it is the digest. */
export type ReviewSignature = Pick<SignedReview, "reviewer" | "statement" | "payload" | "signature">;

/**
 * Finds the key that signed, and returns what is stored of the review. Out: undefined when no key that is certified for the reviewer signed.
 * Refuses: REGISTRY_UNAVAILABLE.
 */
export type ProveReview = (
  signed: ReviewSignature,
  keys: { readonly fresh: boolean },
) => Promise<SignedReview | undefined>;

/** Makes `ProveReview`, for the pages of reviewers and for the API. Source: decisions A6, I9. */
export function createProveReview(findSigner: FindSigner): ProveReview {
  return async (signed, { fresh }) => {
    const { reviewer: signer, payload: text, signature } = signed;
    const key = await findSigner({ signer, text, signature, fresh }).catch(toUnavailable);
    if (key === undefined) return undefined;
    return { ...signed, publicKey: key.publicKey, keyBindingCertificate: key.certificate };
  };
}

function toUnavailable(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  const message = "The registry or the reviewer's vault does not answer now. Try again later.";
  throw authorityRefusal("REGISTRY_UNAVAILABLE", message);
}
