import { canonical } from "./canonical-json.ts";
import { isDomainList } from "./domain-list.ts";
import type { EName } from "./ename.ts";
import { readMembers } from "./read-members.ts";
import { signedPayload } from "./signed-payload.ts";

/** The levels that a certifying authority grants, lowest first. */
export const CERTIFICATION_LEVELS = ["L0", "L1", "L2", "L3", "L4", "L5"] as const;

/** A level that a certifying authority grants. */
export type CertificationLevel = (typeof CERTIFICATION_LEVELS)[number];

/**
 * What an owner requires of platforms. `allowedDomains` null allows whatever their certificate grants, `[]` nothing.
 */
export interface OwnerPolicyTerms {
  readonly minimumLevel: CertificationLevel;
  readonly reputationEngine: EName | null;
  readonly minimumReputation: number | null;
  readonly allowedDomains: readonly string[] | null;
  readonly deniedDomains: readonly string[];
}

/** The statement that an owner signs; of two, the one issued later counts. */
export interface OwnerPolicyStatement extends OwnerPolicyTerms {
  readonly type: "ds.vault.access-policy";
  readonly schemaVersion: 1;
  readonly subject: EName;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly nonce: string;
}

/** What counts for an owner who has signed no policy. Source: decision A2. */
export const DEFAULT_OWNER_TERMS: OwnerPolicyTerms = {
  minimumLevel: "L2",
  reputationEngine: null,
  minimumReputation: null,
  allowedDomains: null,
  deniedDomains: [],
};

const MEMBERS = [
  "type",
  "schemaVersion",
  "subject",
  "minimumLevel",
  "reputationEngine",
  "minimumReputation",
  "allowedDomains",
  "deniedDomains",
  "issuedAt",
  "nonce",
];

/**
 * Parses an owner's access policy: every member present, no unknown member.
 *
 * Out: the statement with canonical eNames; where an eName had another spelling, this changes what is signed.
 * Refuses: INVALID_ACCESS_POLICY with the member.
 * Source: S3 "Authentication"; decisions A1, A2.
 */
export function parseOwnerPolicy(value: unknown): OwnerPolicyStatement {
  const read = readMembers(value, { code: "INVALID_ACCESS_POLICY", what: "access policy", members: MEMBERS });
  const engine = read.judged("reputationEngine", isNullOr(isAny), "must be an eName or null");
  return {
    type: read.oneOf("type", ["ds.vault.access-policy"]),
    schemaVersion: read.oneOf("schemaVersion", [1]),
    subject: read.ename("subject"),
    minimumLevel: read.oneOf("minimumLevel", CERTIFICATION_LEVELS),
    reputationEngine: engine === null ? null : read.ename("reputationEngine"),
    minimumReputation: read.judged("minimumReputation", isNullOr(isNumber), "must be a finite number or null"),
    allowedDomains: read.judged("allowedDomains", isNullOr(isDomainList), "must be a list of domains or null"),
    deniedDomains: read.judged("deniedDomains", isDomainList, "must be a list of domains"),
    issuedAt: read.time("issuedAt"),
    nonce: read.text("nonce"),
  };
}

/**
 * Writes the text that an owner signs for an access policy.
 *
 * Out: `ds:access-policy:v1:` and the base64url SHA-256 of the canonical statement.
 * Refuses: never for a statement from `parseOwnerPolicy`. Source: S3 "Canonical payloads".
 */
export function ownerPolicyPayload(statement: OwnerPolicyStatement): Promise<string> {
  return signedPayload("accessPolicy", canonical(statement));
}

function isNullOr<Value>(isValue: (value: unknown) => value is Value) {
  return (value: unknown): value is Value | null => value === null || isValue(value);
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isAny(value: unknown): value is string {
  return typeof value === "string";
}
