import { versionToEName } from "@dataspace/protocol/version-ename";
import { type JwsSigner, writeCompactJws } from "@dataspace/protocol/write-compact-jws";
import type { EName } from "@dataspace/protocol/ename";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";
import { CERTIFICATE_TYP, type CertificateClaims } from "../certificate.ts";
import { parseSubmissionText, submissionSha256 } from "../release-submission.ts";
import { SigningError } from "./signing-error.ts";

/** What a certifying authority grants for a submission. */
export interface CertificateInput {
  /** The origin of the authority. */
  readonly issuer: string;
  /** The submission's signed text. */
  readonly statementText: string;
  readonly level: CertificationLevel;
  /** At most those that the submission asks for. */
  readonly domains: readonly string[];
  readonly reviewer: EName;
  readonly jti: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
  /** Where the certificate's status stands; without one it cannot be revoked. */
  readonly status?: { readonly idx: number; readonly uri: string };
}

/**
 * Issues the certificate of a submission.
 *
 * Out: the compact JWS and its claims. Refuses: DOMAINS_NOT_REQUESTED for a domain that the submission does not ask for;
 * as `parseSubmissionText`; as the signer. Source: S3 "Platform authentication"; decision A1.
 */
export async function issueCertificate(
  signer: JwsSigner,
  input: CertificateInput,
): Promise<{ readonly certificate: string; readonly claims: CertificateClaims }> {
  const statement = parseSubmissionText(input.statementText);
  const foreign = input.domains.find((domain) => !statement.domains.includes(domain));
  if (foreign !== undefined) {
    const message = `The certificate was not issued: the submission does not ask for the domain ${foreign}. Grant only what it asks for.`;
    throw new SigningError("DOMAINS_NOT_REQUESTED", message);
  }
  const claims: CertificateClaims = {
    iss: input.issuer,
    sub: statement.platformEName,
    version: statement.version,
    version_ename: versionToEName(statement.platformEName, statement.version),
    decision: "granted",
    level: input.level,
    domains: input.domains,
    submission_sha256: await submissionSha256(input.statementText),
    submitter: statement.signerEName,
    ...(statement.deployers === undefined ? {} : { deployers: statement.deployers }),
    reviewed_by: input.reviewer,
    platform_name: statement.platformName,
    iat: input.issuedAtSeconds,
    exp: input.expiresAtSeconds,
    jti: input.jti,
    ...(input.status === undefined ? {} : { status: { status_list: input.status } }),
  };
  return { certificate: await writeCompactJws(signer, CERTIFICATE_TYP, claims), claims };
}
