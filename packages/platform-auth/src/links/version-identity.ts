import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Link } from "./link.ts";

/**
 * Version identity: the version eName follows from platform and version by UUIDv5, without any question to the network.
 *
 * Source: S3 "Platform authentication"; decision A1.
 */
export const versionIdentity: Link = {
  id: "version-identity",
  title: "Version identity",
  proves: "The version eName follows from the platform eName and the version by UUIDv5.",
  checks: [
    {
      name: "evidence-present",
      code: "missing_evidence",
      fault: "The evidence has no platform, version, version eName or software version document.",
      holds: ({ evidence: { platformEname, version, versionEname, versionDocument } }) =>
        [platformEname, version, versionEname, versionDocument].every((member) => member !== undefined),
    },
    {
      name: "derivable",
      code: "version_not_derivable",
      fault: "The version eName is not the one that the platform eName and the version give.",
      holds: ({ evidence: { derivedEname, versionEname } }) =>
        derivedEname !== undefined && derivedEname === versionEname,
    },
    {
      name: "document-fields",
      code: "document_field_mismatch",
      fault: "The software version document says something else than the evidence, or is malformed.",
      holds: isOfThisRelease,
    },
  ],
};

function isOfThisRelease({ evidence }: HandshakeFacts): boolean {
  const document = evidence.versionDocument?.document;
  if (document === undefined) return false;
  const { platformEname, version, versionEname, releaseTag, commitSha } = document.data;
  return (
    document.subject === evidence.versionEname &&
    platformEname === evidence.platformEname &&
    version === evidence.version &&
    versionEname === evidence.versionEname &&
    releaseTag === evidence.releaseTag &&
    commitSha === evidence.commitSha
  );
}
