import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Link } from "./link.ts";
import { isSamePoint } from "./same-point.ts";

/**
 * Release authorship: the release's submission verifies again, against the key that the registry certified for its author.
 *
 * Source: S3 "Platform authentication"; decision A1.
 */
export const releaseAuthorship: Link = {
  id: "release-authorship",
  title: "Release authorship",
  proves: "The author of the release signed its submission with a key that the registry certified.",
  checks: [
    {
      name: "evidence-present",
      code: "missing_evidence",
      fault: "The evidence has no submission proof, or the proof lacks a member.",
      holds: ({ evidence }) => evidence.submission?.isWhole === true,
    },
    {
      name: "statement-readable",
      code: "statement_invalid",
      fault: "The signed statement is not a release submission, or is ambiguous.",
      holds: ({ evidence }) => evidence.submission?.statement !== undefined,
    },
    {
      name: "statement-signed-text",
      code: "statement_payload_mismatch",
      fault: "The statement says something else than the text that was signed.",
      holds: ({ evidence }) => evidence.submission?.isSameStatement === true,
    },
    {
      name: "payload",
      code: "statement_payload_mismatch",
      fault: "The payload is not the one that the statement's text gives.",
      holds: ({ evidence: { submission } }) =>
        submission?.payload !== undefined && submission.payload === submission.presentedPayload,
    },
    {
      name: "release",
      code: "statement_other_release",
      fault: "The statement is about another platform, version or tag.",
      holds: isOfThisRelease,
    },
    {
      name: "commit",
      code: "commit_mismatch",
      fault: "The statement is about another commit.",
      holds: ({ evidence: { submission, commitSha } }) =>
        commitSha !== undefined && submission?.statement?.manifestCommitId === commitSha,
    },
    {
      name: "registry-keys",
      code: "registry_keys_unavailable",
      fault: "The registry's keys are not available now.",
      asks: true,
      holds: async (facts) => (await keyCertificate(facts)) !== "unavailable",
    },
    {
      name: "key-certificate",
      code: "key_certificate_invalid",
      fault: "The registry did not certify this key for the author at the time of the statement.",
      asks: true,
      holds: isCertifiedKey,
    },
    {
      name: "signature",
      code: "signature_invalid",
      fault: "The statement is not signed by the author's key.",
      holds: async ({ evidence: { submission }, ask }) => {
        const { payload, point, signature } = submission ?? {};
        if (payload === undefined || point === undefined || signature === undefined) return false;
        return ask.hasSigned(point, payload, signature);
      },
    },
  ],
};

function isOfThisRelease({ evidence }: HandshakeFacts): boolean {
  const statement = evidence.submission?.statement;
  if (statement === undefined) return false;
  return (
    statement.platformEName === evidence.platformEname &&
    statement.version === evidence.version &&
    statement.releaseTag === evidence.releaseTag
  );
}

async function keyCertificate({ evidence, ask }: HandshakeFacts) {
  const certificate = evidence.submission?.keyCertificate;
  return certificate === undefined ? "refused" : ask.registryToken(certificate);
}

async function isCertifiedKey(facts: HandshakeFacts): Promise<boolean> {
  const { certifiedPoint, point } = facts.evidence.submission ?? {};
  return typeof (await keyCertificate(facts)) === "object" && isSamePoint(certifiedPoint, point);
}
