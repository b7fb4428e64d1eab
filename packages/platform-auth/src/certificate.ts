import type { EName } from "@dataspace/protocol/ename";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";

/** The `typ` of a certificate. No other token has it. */
export const CERTIFICATE_TYP = "ds-cert+jwt";

/** The longest life of a certificate that verifiers accept, in seconds: 366 days. Source: decision A1. */
export const CERTIFICATE_MAX_SECONDS: number = 366 * 86_400;

/** Where a certificate's status stands: the bit `idx` of the list at `uri`. Source: draft-ietf-oauth-status-list. */
export interface StatusReference {
  readonly status_list: { readonly idx: number; readonly uri: string };
}

/**
 * The claims of a certificate; times are seconds since the epoch.
 *
 * Source: S3 "Resources and their fields"; decision A1.
 */
export interface CertificateClaims {
  /** The exact origin of the authority. */
  readonly iss: string;
  /** The platform. */
  readonly sub: EName;
  readonly version: string;
  readonly version_ename: EName;
  readonly decision: "granted";
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
  /** The base64url SHA-256 of the submission's text. */
  readonly submission_sha256: string;
  /** The author of the submission. */
  readonly submitter: EName;
  /** Who may run the release beside its author. */
  readonly deployers?: readonly EName[];
  readonly reviewed_by?: EName;
  readonly platform_name?: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly status?: StatusReference;
}
