import { canonical } from "@dataspace/protocol/canonical-json";
import { isDomainList } from "@dataspace/protocol/domain-list";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { readMembers } from "@dataspace/protocol/read-members";
import { parseSignedJson } from "@dataspace/protocol/signed-json";
import { SIGNED_PREFIXES, signedPayload } from "@dataspace/protocol/signed-payload";
import { isVersion } from "@dataspace/protocol/version-ename";

/** What the author of a release asks a certifying authority to certify. Source: decision A1. */
export interface ReleaseSubmission {
  readonly type: "ds.ppa.release-submission";
  readonly schemaVersion: 1;
  readonly repositoryId: number;
  readonly repository: string;
  readonly platformEName: EName;
  readonly platformName: string;
  readonly releaseTag: string;
  readonly version: string;
  readonly manifestCommitId: string;
  /** The domains that the release asks for. */
  readonly domains: readonly string[];
  readonly signerEName: EName;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly nonce: string;
  readonly previousDecision?: string;
  readonly previousDecisionAt?: string;
  readonly responseToDecision?: string;
  /** Who may run the release beside its author. */
  readonly deployers?: readonly EName[];
}

/** A signed submission, as it is sent to a certifying authority. `statementText` is the signed text, byte for byte. */
export interface Submission {
  readonly statementText: string;
  readonly payload: string;
  readonly signature: string;
  readonly publicKey: string;
  /** The registry's certificate that `publicKey` is the author's. */
  readonly keyBindingCertificate: string;
}

/** A submission as evidence carries it. */
export interface SubmissionProof extends Submission {
  readonly statement: ReleaseSubmission;
  /** When the authority verified it, ISO 8601; informative. */
  readonly verifiedAt: string;
}

const MEMBERS = [
  "type",
  "schemaVersion",
  "repositoryId",
  "repository",
  "platformEName",
  "platformName",
  "releaseTag",
  "version",
  "manifestCommitId",
  "domains",
  "signerEName",
  "issuedAt",
  "nonce",
] as const;
const OPTIONAL = ["previousDecision", "previousDecisionAt", "responseToDecision", "deployers"] as const;
const MAX_DEPLOYERS = 100;

/**
 * Reads the statement of a release submission; a member that is not known is refused.
 *
 * Out: the statement with its eNames in their one spelling.
 * Refuses: INVALID_SUBMISSION with the member. Source: decision A1.
 */
export function parseReleaseSubmission(value: unknown): ReleaseSubmission {
  const read = readMembers(value, {
    code: "INVALID_SUBMISSION",
    what: "release submission",
    members: MEMBERS,
    optional: OPTIONAL,
  });
  const given = OPTIONAL.filter((name) => Object.hasOwn(value as object, name));
  const optional = given.map((name) => [
    name,
    name === "deployers"
      ? read.judged(name, isENames, `must be a list of at most ${MAX_DEPLOYERS} eNames`).map(parseEName)
      : name === "previousDecisionAt"
        ? read.time(name)
        : read.text(name),
  ]);
  return {
    type: read.oneOf("type", ["ds.ppa.release-submission"]),
    schemaVersion: read.oneOf("schemaVersion", [1]),
    repositoryId: read.judged("repositoryId", isRepositoryId, "must be a whole number above 0"),
    repository: read.text("repository"),
    platformEName: read.ename("platformEName"),
    platformName: read.text("platformName"),
    releaseTag: read.text("releaseTag"),
    version: read.judged("version", isVersion, "must be a version"),
    manifestCommitId: read.text("manifestCommitId"),
    domains: read.judged("domains", isDomainList, "must be a list of at most 32 distinct domains"),
    signerEName: read.ename("signerEName"),
    issuedAt: read.time("issuedAt"),
    nonce: read.text("nonce"),
    ...Object.fromEntries(optional),
  };
}

/**
 * Reads the signed text of a submission.
 *
 * Refuses: INVALID_JSON for text that two readers could read differently, INVALID_SUBMISSION as `parseReleaseSubmission`.
 * Source: decision A1.
 */
export function parseSubmissionText(text: string): ReleaseSubmission {
  return parseReleaseSubmission(parseSignedJson(text));
}

/**
 * Writes the text of a statement in the fixed order of its members.
 *
 * Refuses: INVALID_JSON for a statement that JSON cannot hold. Source: decision A1.
 */
export function releaseSubmissionText(statement: ReleaseSubmission): string {
  canonical(statement);
  const order = [...MEMBERS, ...OPTIONAL];
  const known = order.filter((name) => statement[name] !== undefined);
  return JSON.stringify(Object.fromEntries(known.map((name) => [name, statement[name]])));
}

/**
 * Writes the text that the author signs: `gitforge:ppa:v1:` and the base64url SHA-256 of the statement's text.
 *
 * Refuses: never. Source: S3 "Canonical payloads".
 */
export function submissionPayload(statementText: string): Promise<string> {
  return signedPayload("release", statementText);
}

/** Computes the base64url SHA-256 of a statement's text, as certificates carry it. Refuses: never. Source: decisions A1, A6. */
export async function submissionSha256(statementText: string): Promise<string> {
  return (await submissionPayload(statementText)).slice(SIGNED_PREFIXES.release.length);
}

/** Checks whether a value is the id of a repository: a whole number above 0. Refuses: never. */
export function isRepositoryId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isENames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_DEPLOYERS && value.every(isENameText);
}

function isENameText(value: unknown): boolean {
  try {
    return parseEName(value as string) !== undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}
