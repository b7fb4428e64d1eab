import type { EName } from "@dataspace/protocol/ename";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";
import type { HandshakeClaim } from "../platform-claim.ts";
import type { EvidenceReading } from "../reading/read-evidence.ts";

/**
 * Writes the claim of evidence whose six links hold: the certificate's domains that the release asked for, in its order.
 *
 * Refuses: a plain Error for evidence that no link can have let through (a fault of ours).
 * Source: S3 "Platform authentication" (a certificate never widens the submission); decision A1.
 */
export function toClaim(evidence: EvidenceReading): HandshakeClaim {
  const { certificate, submission } = evidence;
  const statement = submission?.statement;
  if (certificate === undefined || statement === undefined) throw new Error("A chain held without its evidence.");
  const { iss, level, domains, jti, exp } = certificate.payload;
  const granted = domains as readonly string[];
  return {
    platform: evidence.platformEname as EName,
    deployment: evidence.deploymentEname as EName,
    version: evidence.version as string,
    level: level as CertificationLevel,
    domains: granted.filter((domain) => statement.domains.includes(domain)),
    versionEname: evidence.versionEname as EName,
    environment: evidence.environment as string,
    deployer: evidence.deployerEname as EName,
    issuer: (iss as string).replace(/\/$/, ""),
    certificateId: jti as string,
    expiresAt: new Date((exp as number) * 1000).toISOString(),
  };
}
