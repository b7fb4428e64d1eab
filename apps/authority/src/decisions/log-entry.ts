import { createHash } from "node:crypto";
import { canonical } from "@dataspace/protocol/canonical-json";
import type { CertificateClaims } from "@dataspace/platform-auth/certificate";

/** The text that the log keeps of a certificate: who, which release, what, and the SHA-256 of the JWS. Refuses: never. */
export function issuedEntry(claims: CertificateClaims, jws: string): string {
  const { jti, sub, version, level, domains, submission_sha256, submitter, iat, exp } = claims;
  const certificate_sha256 = createHash("sha256").update(jws).digest("base64url");
  const facts = { jti, sub, version, level, domains, submission_sha256, submitter, iat, exp };
  return canonical({ type: "issued", certificate_sha256, ...facts });
}

/** The text that the log keeps of a revocation. In: `at` in seconds since the epoch. Refuses: never. */
export function revokedEntry(jti: string, at: number): string {
  return canonical({ type: "revoked", jti, at });
}
