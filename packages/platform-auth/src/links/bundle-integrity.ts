import type { ListedDocument } from "../reading/read-bundle.ts";
import type { EvidenceReading } from "../reading/read-evidence.ts";
import type { Link } from "./link.ts";

/**
 * Bundle integrity: both binding documents hash to the values that the signature covers, so neither can be swapped alone.
 *
 * Source: S3 "Platform authentication"; decision A1.
 */
export const bundleIntegrity: Link = {
  id: "bundle-integrity",
  title: "Bundle integrity",
  proves: "Both binding documents hash to the values that the deployer signed.",
  checks: [
    {
      name: "evidence-present",
      code: "missing_evidence",
      fault: "The evidence has no attestation bundle with a signed payload, or lacks a binding document.",
      holds: ({ evidence: { bundle, keyDocument, versionDocument } }) =>
        bundle !== undefined && keyDocument !== undefined && versionDocument !== undefined,
    },
    {
      name: "one-text",
      code: "bundle_text_differs",
      fault: "The evidence carries two bundles with different texts.",
      holds: ({ evidence }) => evidence.bundle?.isOnlyText === true,
    },
    {
      name: "bundle-shape",
      code: "bundle_malformed",
      fault: "The signed payload is not a bundle of exactly one deployment key and one software version document.",
      holds: ({ evidence }) => evidence.bundle?.listed !== undefined,
    },
    {
      name: "deployment-key-covered",
      code: "document_not_covered",
      fault: "The bundle does not cover the deployment key document as it was presented.",
      holds: ({ evidence }) => isCovered(evidence, "deployment_key"),
    },
    {
      name: "software-version-covered",
      code: "document_not_covered",
      fault: "The bundle does not cover the software version document as it was presented.",
      holds: ({ evidence }) => isCovered(evidence, "software_version"),
    },
  ],
};

/**
 * Checks whether the bundle lists a document with the document's hash and subject. Refuses: never. Source: decision A1.
 */
export function isCovered(evidence: EvidenceReading, type: ListedDocument["type"]): boolean {
  const presented = type === "deployment_key" ? evidence.keyDocument : evidence.versionDocument;
  const listed = evidence.bundle?.listed?.find((entry) => entry.type === type);
  if (listed === undefined || presented?.hash === undefined) return false;
  return presented.hash === listed.hash && presented.subject === listed.subject;
}
