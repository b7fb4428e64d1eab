import { versionToEName } from "@dataspace/protocol/version-ename";
import type { DeploymentAttestation } from "@dataspace/protocol/deployment-bundle";
import type { Evidence } from "../evidence.ts";
import type { SubmissionProof } from "../release-submission.ts";

/**
 * Puts the evidence of a deployment together: what its deployer signed, the release's submission, and the certificate.
 *
 * Out: the evidence for every handshake until the certificate ends. Refuses: INVALID_VERSION. Source: decision A1.
 */
export function buildEvidence(
  attestation: DeploymentAttestation,
  submissionProof: SubmissionProof,
  accreditationJws: string,
): Evidence {
  const { attestationBundle, deploymentKeyDocument, softwareVersionDocument } = attestation;
  const { subject: deploymentEname, data: key } = deploymentKeyDocument;
  const { version, releaseTag, commitSha } = softwareVersionDocument.data;
  const { deploymentName, environment, deployerEname, platformEname, publicKey } = key;
  const versionEname = versionToEName(platformEname, version);
  return {
    deploymentEname,
    deploymentName,
    environment,
    deployerEname,
    platformEname,
    versionEname,
    version,
    releaseTag,
    commitSha,
    publicKey,
    attestationBundle,
    deploymentKeyDocument,
    softwareVersionDocument,
    submissionProof,
    accreditationJws,
  };
}
