import { payloadOf } from "../reading/digest.ts";
import { toEName } from "../reading/read-members.ts";
import { isCovered } from "./bundle-integrity.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Link } from "./link.ts";

/**
 * Deployment authorised: a named person's wallet signed the key for this platform and environment, and that person may run the
 * release.
 *
 * Source: S3 "Platform authentication"; decision A1.
 */
export const deploymentAuthorised: Link = {
  id: "deployment-authorised",
  title: "Deployment authorised",
  proves: "A person who may run this release signed the deployment key for this platform and environment.",
  checks: [
    {
      name: "evidence-present",
      code: "missing_evidence",
      fault: "The evidence has no deployer, no attestation bundle or no deployment key document.",
      holds: ({ evidence: { deployerEname, bundle, keyDocument } }) =>
        deployerEname !== undefined && bundle?.signature !== undefined && keyDocument !== undefined,
    },
    {
      name: "signer-is-deployer",
      code: "signer_not_deployer",
      fault: "The bundle is signed by somebody else than the deployer.",
      holds: ({ evidence: { deployerEname, bundle } }) =>
        deployerEname !== undefined && bundle?.signer === deployerEname,
    },
    {
      name: "document-fields",
      code: "document_field_mismatch",
      fault: "The deployment key document says something else than the evidence, or is malformed.",
      holds: isOfThisDeployment,
    },
    {
      name: "document-in-force",
      code: "document_not_in_force",
      fault: "The deployment key document is not valid yet, or not any more.",
      holds: isInForce,
    },
    {
      name: "document-covered",
      code: "document_not_covered",
      fault: "The signed bundle does not cover the deployment key document.",
      holds: ({ evidence }) => isCovered(evidence, "deployment_key"),
    },
    {
      name: "deployer-listed",
      code: "deployer_not_authorised",
      fault: "The deployer is neither the author of the release nor listed by the submission or the certificate.",
      holds: (facts) => facts.policy.allowUnlistedDeployers || mayDeploy(facts),
    },
    {
      name: "wallet-keys",
      code: "wallet_key_unavailable",
      fault: "The deployer has no certified key, or its keys are not available now.",
      asks: true,
      holds: async (facts) => (await walletPoints(facts)).length > 0,
    },
    {
      name: "wallet-signature",
      code: "signature_invalid",
      fault: "The bundle is not signed by a key that is certified for the deployer now.",
      asks: true,
      holds: isSignedByWallet,
    },
  ],
};

function isOfThisDeployment({ evidence }: HandshakeFacts): boolean {
  const document = evidence.keyDocument?.document;
  if (document === undefined) return false;
  const { deploymentName, environment, deployerEname, platformEname } = document.data;
  return (
    document.subject === evidence.deploymentEname &&
    deploymentName === evidence.deploymentName &&
    environment === evidence.environment &&
    deployerEname === evidence.deployerEname &&
    platformEname === evidence.platformEname
  );
}

function isInForce({ evidence, nowMs }: HandshakeFacts): boolean {
  const data = evidence.keyDocument?.document?.data;
  if (data === undefined) return false;
  const isEarly = data.validFrom !== undefined && Date.parse(data.validFrom) > nowMs;
  return !isEarly && (data.validUntil === undefined || Date.parse(data.validUntil) > nowMs);
}

// Each link judges the evidence as presented: a statement or certificate that does not hold fails its own link.
function mayDeploy({ evidence: { deployerEname, submission, certificate } }: HandshakeFacts): boolean {
  if (deployerEname === undefined) return false;
  const { signerEName, deployers = [] } = submission?.statement ?? {};
  const certified = certificate?.payload["deployers"];
  const listed = [signerEName, ...deployers, ...(Array.isArray(certified) ? certified.map(toEName) : [])];
  return listed.includes(deployerEname);
}

async function walletPoints({ evidence, ask }: HandshakeFacts): Promise<readonly Uint8Array[]> {
  const { deployerEname, keyBindingCertificates } = evidence;
  if (deployerEname === undefined) return [];
  return (await ask.walletPoints(deployerEname, keyBindingCertificates)) ?? [];
}

async function isSignedByWallet(facts: HandshakeFacts): Promise<boolean> {
  const { bundle } = facts.evidence;
  if (bundle?.signature === undefined) return false;
  const text = payloadOf("deployment", bundle.signedPayload);
  for (const point of await walletPoints(facts)) {
    if (await facts.ask.hasSigned(point, text, bundle.signature)) return true;
  }
  return false;
}
