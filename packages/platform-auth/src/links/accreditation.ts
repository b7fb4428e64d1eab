import { isDomainList } from "@dataspace/protocol/domain-list";
import { CERTIFICATION_LEVELS } from "@dataspace/protocol/owner-policy";
import { CERTIFICATE_TYP } from "../certificate.ts";
import { toEName, toText } from "../reading/read-members.ts";
import { certificateStatus } from "./certificate-status.ts";
import { faultOfCertificateTimes } from "./certificate-times.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Link } from "./link.ts";

/**
 * Accreditation: a trusted authority certified this version of this platform, by this very submission, and the certificate is in
 * force. The issuer is judged before anybody is asked for keys.
 *
 * Source: S3 "Platform authentication", "Authentication"; decision A1.
 */
export const accreditation: Link = {
  id: "accreditation",
  title: "Accreditation",
  proves: "A trusted authority certified this version of this platform for a level and a set of domains.",
  checks: [
    {
      name: "certificate-present",
      code: "missing_evidence",
      fault: "The evidence has no certificate.",
      holds: ({ evidence }) => evidence.accreditationJws !== undefined,
    },
    {
      name: "certificate-form",
      code: "certificate_invalid",
      fault: "The certificate is not a token of its kind.",
      holds: ({ evidence }) =>
        evidence.certificate?.header.typ === CERTIFICATE_TYP && toText(claim(evidence, "jti")) !== undefined,
    },
    {
      name: "issuer-trusted",
      code: "issuer_not_trusted",
      fault: "The certificate's issuer is not one of the trusted authorities.",
      holds: (facts) => trustedIssuer(facts) !== undefined,
    },
    {
      name: "subject",
      code: "certificate_other_subject",
      fault: "The certificate names another platform.",
      holds: ({ evidence }) =>
        evidence.platformEname !== undefined && toEName(claim(evidence, "sub")) === evidence.platformEname,
    },
    {
      name: "version",
      code: "certificate_other_version",
      fault: "The certificate names another version.",
      holds: isOfThisVersion,
    },
    {
      name: "decision",
      code: "certificate_refused",
      fault: "The certificate does not grant anything.",
      holds: ({ evidence }) => ["granted", undefined].includes(claim(evidence, "decision") as string | undefined),
    },
    {
      name: "level",
      code: "level_invalid",
      fault: "The certificate has no level from L0 to L5.",
      holds: ({ evidence }) => CERTIFICATION_LEVELS.some((level) => level === claim(evidence, "level")),
    },
    {
      name: "domains",
      code: "certificate_invalid",
      fault: "The certificate has no list of distinct domains.",
      holds: ({ evidence }) => isDomainList(claim(evidence, "domains")),
    },
    {
      name: "times",
      code: "certificate_invalid",
      fault: "The certificate is not valid yet, is valid for longer than 366 days, or says no times.",
      holds: (facts) => [undefined, "expired"].includes(faultOfCertificateTimes(facts)),
    },
    {
      name: "unexpired",
      code: "certificate_expired",
      fault: "The certificate has expired.",
      holds: (facts) => faultOfCertificateTimes(facts) !== "expired",
    },
    {
      name: "submission",
      code: "certificate_other_submission",
      fault: "The certificate does not name this submission.",
      holds: (facts) => isBound(facts, "submission_sha256", facts.evidence.submission?.sha256),
    },
    {
      name: "submitter",
      code: "certificate_other_submission",
      fault: "The certificate does not name the author of this submission.",
      holds: (facts) => isBound(facts, "submitter", facts.evidence.submission?.statement?.signerEName),
    },
    {
      name: "issuer-keys",
      code: "issuer_keys_unavailable",
      fault: "The keys of the certificate's issuer are not available now.",
      asks: true,
      holds: async (facts) => (await issuerAnswer(facts)) !== "unavailable",
    },
    {
      name: "signature",
      code: "signature_invalid",
      fault: "The certificate is not signed by a key that its issuer publishes.",
      asks: true,
      holds: async (facts) => typeof (await issuerAnswer(facts)) === "object",
    },
    {
      name: "status-known",
      code: "status_unavailable",
      fault: "The status of the certificate is not available now.",
      asks: true,
      holds: async (facts) => (await certificateStatus(facts, trustedIssuer(facts))) !== "unavailable",
    },
    {
      name: "not-revoked",
      code: "certificate_revoked",
      fault: "The certificate was revoked.",
      asks: true,
      holds: async (facts) => (await certificateStatus(facts, trustedIssuer(facts))) === "valid",
    },
  ],
};

function claim(evidence: HandshakeFacts["evidence"], name: string): unknown {
  return evidence.certificate?.payload[name];
}

// As the trusted list has it, but for one slash at the end; the list alone decides who is asked for keys.
function trustedIssuer({ evidence, policy }: HandshakeFacts): string | undefined {
  const issuer = toText(claim(evidence, "iss"))?.replace(/\/$/, "");
  return policy.trustedCertifierIssuers.find((trusted) => trusted === issuer);
}

function isOfThisVersion({ evidence }: HandshakeFacts): boolean {
  const { version, derivedEname } = evidence;
  const named = [claim(evidence, "version"), claim(evidence, "platformVersion")].filter((name) => name !== undefined);
  if (derivedEname === undefined || named.length === 0) return false;
  const ename = claim(evidence, "version_ename");
  return (ename === undefined || toEName(ename) === derivedEname) && named.every((name) => name === version);
}

// What the certificate names must be this; that it names nothing counts only where unbound certificates do.
function isBound(
  { evidence, policy }: HandshakeFacts,
  name: "submission_sha256" | "submitter",
  expected: string | undefined,
): boolean {
  const said = claim(evidence, name);
  if (said === undefined) return policy.allowUnboundCertificates;
  return expected !== undefined && (name === "submitter" ? toEName(said) : said) === expected;
}

async function issuerAnswer(facts: HandshakeFacts) {
  const issuer = trustedIssuer(facts);
  const { certificate } = facts.evidence;
  return issuer === undefined || certificate === undefined ? "refused" : facts.ask.issuerToken(issuer, certificate);
}
