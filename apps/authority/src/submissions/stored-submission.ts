import type { ReleaseSubmission, Submission } from "@dataspace/platform-auth/release-submission";
import type { EName } from "@dataspace/protocol/ename";

/** A submission that was verified, and is to be stored. Times are ISO 8601. */
export interface VerifiedSubmission {
  readonly id: string;
  readonly statement: ReleaseSubmission;
  /** The base64url SHA-256 of the signed text, as the certificate will carry it. */
  readonly sha256: string;
  readonly submission: Submission;
  readonly receivedAt: string;
}

/** What a reviewer decided about a submission. */
export interface Decision {
  readonly decision: "granted" | "denied";
  readonly decidedAt: string;
  readonly decidedBy: EName;
  readonly reason: string | null;
}

/** A certificate that was issued for a submission. `expiresAt` is ISO 8601. */
export interface IssuedCertificate {
  readonly jti: string;
  readonly jws: string;
  readonly expiresAt: string;
  readonly isRevoked: boolean;
}

/** A submission as it is stored, with the newest certificate that was issued for it. */
export interface StoredSubmission {
  readonly id: string;
  readonly statementText: string;
  readonly sha256: string;
  readonly receivedAt: string;
  readonly decision: Decision | null;
  readonly certificate: IssuedCertificate | null;
}
