import {
  type DeploymentDocuments,
  type DeploymentKeyDocument,
  deploymentBundleText,
  parseDeploymentKeyDocument,
  parseSoftwareVersionDocument,
  type SoftwareVersionDocument,
} from "./deployment-attestation.ts";
import type { EName } from "./ename.ts";
import type { SignText } from "./sign-text.ts";
import { signedPayload } from "./signed-payload.ts";
import { versionToEName } from "./version-ename.ts";

/** The deployer's signature over the two documents. `signedPayload` is the signed text, byte for byte. */
export interface AttestationBundle {
  readonly signer: EName;
  readonly signature: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly scope: "bundle";
  readonly signedPayload: string;
}

/** The two binding documents and the bundle that covers them; the members are those of the evidence. */
export interface DeploymentAttestation {
  readonly attestationBundle: AttestationBundle;
  readonly deploymentKeyDocument: DeploymentKeyDocument & { readonly signatures: readonly AttestationBundle[] };
  readonly softwareVersionDocument: SoftwareVersionDocument & { readonly signatures: readonly AttestationBundle[] };
}

/** A deployment and the release it runs, as a person authorises them. */
export interface DeploymentInput {
  readonly deploymentEname: EName;
  readonly deploymentName: string;
  readonly environment: string;
  /** The deployment's own key, in any accepted spelling. */
  readonly publicKey: string;
  /** From when and until when the authorisation holds, ISO 8601; without an end when absent. */
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly platformEname: EName;
  readonly version: string;
  readonly releaseTag: string;
  readonly commitSha: string;
}

/** Who authorises a deployment, how their wallet signs, and when (`nowMs`, milliseconds since the epoch). */
export interface Deployer {
  readonly ename: EName;
  readonly sign: SignText;
  readonly nowMs: number;
}

/**
 * Builds the two binding documents of a deployment and has the deployer's wallet sign both at once.
 *
 * Refuses: as `draftDocuments`; as `sign`.
 * Source: S3 "Platform authentication", "Canonical payloads"; decision A1.
 */
export function buildBundle(input: DeploymentInput, deployer: Deployer): Promise<DeploymentAttestation> {
  return attestDocuments(draftDocuments(input, deployer.ename), deployer);
}

/** Writes the two documents, not signed yet. Refuses: INVALID_DEPLOYMENT with the member; INVALID_VERSION. Source: decision A1. */
export function draftDocuments(input: DeploymentInput, deployerEname: EName): DeploymentDocuments {
  return {
    deploymentKey: parseDeploymentKeyDocument(toKeyDocument(input, deployerEname)),
    softwareVersion: parseSoftwareVersionDocument(toVersionDocument(input)),
  };
}

/** Has the deployer's wallet sign both documents. Refuses: as `sign`. Source: S3 "Canonical payloads"; decision A1. */
export async function attestDocuments(
  documents: DeploymentDocuments,
  { ename, sign, nowMs }: Deployer,
): Promise<DeploymentAttestation> {
  const bundleText = await deploymentBundleText(documents);
  const attestationBundle: AttestationBundle = {
    signer: ename,
    signature: await sign(await signedPayload("deployment", bundleText)),
    timestamp: new Date(nowMs).toISOString(),
    scope: "bundle",
    signedPayload: bundleText,
  };
  return {
    attestationBundle,
    deploymentKeyDocument: { ...documents.deploymentKey, signatures: [attestationBundle] },
    softwareVersionDocument: { ...documents.softwareVersion, signatures: [attestationBundle] },
  };
}

function toKeyDocument(input: DeploymentInput, deployerEname: EName): object {
  const { deploymentEname, deploymentName, environment, platformEname, publicKey, validFrom, validUntil } = input;
  const said = { deploymentName, environment, deployerEname, platformEname, publicKey };
  const times = {
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
  };
  const data = { kind: "deployment_key", ...said, algorithm: "ECDSA_P256", ...times };
  return { subject: deploymentEname, type: "deployment_key", data };
}

function toVersionDocument({ platformEname, version, releaseTag, commitSha }: DeploymentInput): object {
  const versionEname = versionToEName(platformEname, version);
  const data = { kind: "software_version", platformEname, versionEname, version, releaseTag, commitSha };
  return { subject: versionEname, type: "software_version", data };
}
