import { createHash } from "node:crypto";
import { reviewDigest, type SignedReview } from "@dataspace/platform-auth/log/signed-review";
import { canonical } from "@dataspace/protocol/canonical-json";
import type { CertificateClaims } from "@dataspace/platform-auth/certificate";

/**
 * The text that the log keeps of a certificate: who, which release, what, the SHA-256 of the JWS, and the digest of the review.
 * Refuses: never.
 */
export function issuedEntry(claims: CertificateClaims, jws: string, review: SignedReview): string {
  const { jti, sub, version, level, domains, submission_sha256, submitter, iat, exp } = claims;
  const certificate_sha256 = createHash("sha256").update(jws).digest("base64url");
  const facts = { jti, sub, version, level, domains, submission_sha256, submitter, iat, exp };
  return canonical({ type: "issued", certificate_sha256, review_sha256: reviewDigest(review), ...facts });
}

/** The text that the log keeps of a revocation. In: `at` in seconds since the epoch. Refuses: never. */
export function revokedEntry(jti: string, at: number, review: SignedReview): string {
  return canonical({ type: "revoked", jti, at, review_sha256: reviewDigest(review) });
}
