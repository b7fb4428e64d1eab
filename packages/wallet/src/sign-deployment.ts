import {
  type DeploymentKeyDocument,
  deploymentBundleText,
  parseDeploymentKeyDocument,
  parseSoftwareVersionDocument,
  type SoftwareVersionDocument,
} from "@dataspace/protocol/deployment-attestation";
import { signedPayload } from "@dataspace/protocol/signed-payload";
import { versionToEName } from "@dataspace/protocol/version-ename";
import type { EName } from "@dataspace/protocol/ename";
import { readDocument } from "./read-document.ts";
import type { DocumentSigner } from "./sign-binding-document.ts";
import { signText } from "./sign-text.ts";

/** A deployment and the release it runs, as a person authorises them. */
export interface DeploymentInput {
  readonly deploymentEname: EName;
  readonly deploymentName: string;
  readonly environment: string;
  /** The deployment's own key, in any accepted spelling. */
  readonly publicKey: string;
  readonly platformEname: EName;
  readonly version: string;
  readonly releaseTag: string;
  readonly commitSha: string;
}

/** The deployer's signature over both documents; `signedPayload` is kept byte for byte. */
export interface AttestationBundle {
  readonly signer: EName;
  readonly signature: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly scope: "bundle";
  readonly signedPayload: string;
}

/** What a deployment shows of its authorisation; the members are those of its evidence. */
export interface DeploymentAttestation {
  readonly attestationBundle: AttestationBundle;
  readonly deploymentKeyDocument: DeploymentKeyDocument & { readonly signatures: readonly AttestationBundle[] };
  readonly softwareVersionDocument: SoftwareVersionDocument & { readonly signatures: readonly AttestationBundle[] };
}

/**
 * Authorises a deployment: the signer says that this key runs this release of this platform in this environment.
 *
 * Refuses: INVALID_DOCUMENT with the member that is wrong; KEY_FAILED.
 * Source: S3 "Platform authentication", "Canonical payloads"; decision A1.
 */
export async function signDeployment(
  input: DeploymentInput,
  { ename, key, clock }: DocumentSigner,
): Promise<DeploymentAttestation> {
  const deploymentKey = readDocument(parseDeploymentKeyDocument, toKeyDocument(input, ename));
  const softwareVersion = readDocument(parseSoftwareVersionDocument, readDocument(toVersionDocument, input));
  const bundleText = await deploymentBundleText({ deploymentKey, softwareVersion });
  const attestationBundle: AttestationBundle = {
    signer: ename,
    signature: await signText(key, await signedPayload("deployment", bundleText)),
    timestamp: new Date(clock.nowMs()).toISOString(),
    scope: "bundle",
    signedPayload: bundleText,
  };
  return {
    attestationBundle,
    deploymentKeyDocument: { ...deploymentKey, signatures: [attestationBundle] },
    softwareVersionDocument: { ...softwareVersion, signatures: [attestationBundle] },
  };
}

function toKeyDocument(input: DeploymentInput, deployerEname: EName): object {
  const { deploymentEname, deploymentName, environment, platformEname, publicKey } = input;
  const said = { deploymentName, environment, deployerEname, platformEname, publicKey };
  const data = { kind: "deployment_key", ...said, algorithm: "ECDSA_P256" };
  return { subject: deploymentEname, type: "deployment_key", data };
}

function toVersionDocument({ platformEname, version, releaseTag, commitSha }: DeploymentInput): object {
  const versionEname = versionToEName(platformEname, version);
  const data = { kind: "software_version", platformEname, versionEname, version, releaseTag, commitSha };
  return { subject: versionEname, type: "software_version", data };
}
