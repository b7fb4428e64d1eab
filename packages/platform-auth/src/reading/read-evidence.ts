import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { isVersion, versionToEName } from "@dataspace/protocol/version-ename";
import type { DeploymentKeyDocument, SoftwareVersionDocument } from "@dataspace/protocol/deployment-attestation";
import type { EName } from "@dataspace/protocol/ename";
import { type BundleReading, readBundle } from "./read-bundle.ts";
import { type DocumentReading, readKeyDocument, readVersionDocument } from "./read-documents.ts";
import { type Members, readOrUndefined, toEName, toPoint, toText } from "./read-members.ts";
import { readSubmission, type SubmissionReading } from "./read-submission.ts";

/** What some evidence says, each member read once; undefined for what is missing or not of its kind. */
export interface EvidenceReading {
  readonly deploymentEname: EName | undefined;
  readonly deploymentName: string | undefined;
  readonly environment: string | undefined;
  readonly deployerEname: EName | undefined;
  readonly platformEname: EName | undefined;
  readonly versionEname: EName | undefined;
  readonly version: string | undefined;
  readonly releaseTag: string | undefined;
  readonly commitSha: string | undefined;
  /** The version eName that platform and version give. */
  readonly derivedEname: EName | undefined;
  readonly publicKey: string | undefined;
  /** The point of `publicKey`. */
  readonly point: Uint8Array | undefined;
  readonly bundle: BundleReading | undefined;
  readonly keyDocument: DocumentReading<DeploymentKeyDocument> | undefined;
  readonly versionDocument: DocumentReading<SoftwareVersionDocument> | undefined;
  readonly submission: SubmissionReading | undefined;
  /** The text of the certificate, and the certificate taken apart. */
  readonly accreditationJws: string | undefined;
  readonly certificate: CompactJws | undefined;
  readonly statusToken: string | undefined;
  readonly keyBindingCertificates: readonly string[];
}

const MOST_STAPLED = 8;

/**
 * Reads evidence. `issuerJwksUri` is not looked at.
 *
 * In: the object as it was presented. Refuses: never: what cannot be read is undefined, and the links judge it.
 * Source: S3 "Resources and their fields"; decision A1.
 */
export function readEvidence(evidence: Members): EvidenceReading {
  const platformEname = toEName(evidence["platformEname"]);
  const version = toText(evidence["version"]);
  const accreditationJws = toText(evidence["accreditationJws"]);
  return {
    deploymentEname: toEName(evidence["deploymentEname"]),
    deploymentName: toText(evidence["deploymentName"]),
    environment: toText(evidence["environment"]),
    deployerEname: toEName(evidence["deployerEname"]),
    platformEname,
    versionEname: toEName(evidence["versionEname"]),
    version,
    releaseTag: toText(evidence["releaseTag"]),
    commitSha: toText(evidence["commitSha"]),
    derivedEname: platformEname && isVersion(version) ? versionToEName(platformEname, version) : undefined,
    publicKey: toText(evidence["publicKey"]),
    point: toPoint(evidence["publicKey"]),
    bundle: readBundle(evidence),
    keyDocument: readKeyDocument(evidence["deploymentKeyDocument"]),
    versionDocument: readVersionDocument(evidence["softwareVersionDocument"]),
    submission: readSubmission(evidence["submissionProof"]),
    accreditationJws,
    certificate: accreditationJws === undefined ? undefined : readOrUndefined(() => parseCompactJws(accreditationJws)),
    statusToken: toText(evidence["statusToken"]),
    keyBindingCertificates: textsOf(evidence["keyBindingCertificates"]),
  };
}

function textsOf(value: unknown): readonly string[] {
  const listed = Array.isArray(value) ? value.slice(0, MOST_STAPLED) : [];
  return listed.filter((item) => typeof item === "string");
}
