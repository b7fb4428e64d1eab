import type { EName } from "@dataspace/protocol/ename";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";

/**
 * What a handshake proves about a platform. `domains` are those that the certificate grants and the release asked for, in the
 * certificate's order; an empty list reaches nothing.
 *
 * Source: S3 "Platform authentication"; decision A1.
 */
export interface PlatformClaim {
  readonly platform: EName;
  readonly deployment: EName;
  /** The version's text, such as `1.4.0`. */
  readonly version: string;
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
}

/** The claim as the verifier answers it: with where it comes from and when its certificate ends. */
export interface HandshakeClaim extends PlatformClaim {
  readonly versionEname: EName;
  readonly environment: string;
  /** The person who authorised the deployment. */
  readonly deployer: EName;
  /** The origin of the certifying authority. */
  readonly issuer: string;
  /** The `jti` of the certificate. */
  readonly certificateId: string;
  /** When the certificate ends, ISO 8601. */
  readonly expiresAt: string;
}
