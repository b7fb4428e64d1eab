import { type EName, parseEName } from "@dataspace/protocol/ename";
import { parseSingularJsonPath, valueAtSingularPath } from "@dataspace/protocol/singular-json-path";
import type { AccessCondition } from "@dataspace/protocol/access-policy";
import type { SignedReading } from "@dataspace/protocol/signed-reading";

/** The subject of a condition, and the time of the decision (milliseconds since the epoch). */
export interface ConditionSubject {
  readonly subject: EName;
  readonly nowMs: number;
}

const CLOCK_SKEW_MS = 60_000;

/**
 * Decides whether a reading meets a condition. The caller has already verified the reading's signature.
 *
 * The reading must come from the condition's issuer and be about this subject and ontology. It must be issued and not
 * yet expired, no older than the condition allows, and its value must be one finite number. Nobody meets a condition
 * without an issuer.
 *
 * Refuses: never; an unmet condition is false. Source: decision V24.
 */
export function conditionHolds(condition: AccessCondition, reading: SignedReading, about: ConditionSubject): boolean {
  const value = readingValue(condition, reading, about);
  return value !== undefined && compare(value, condition);
}

/**
 * Takes from a reading, whose signature is known to be its signer's, the number that a condition asks about.
 *
 * Out: undefined where the reading does not count: another issuer, subject or ontology, too old or expired, no finite number.
 * Refuses: never. Source: decision V24.
 */
export function readingValue(
  condition: Omit<AccessCondition, "op" | "value">,
  { statement, subject, signer }: SignedReading,
  about: ConditionSubject,
): number | undefined {
  if (condition.issuer === undefined || signer !== condition.issuer || subject !== about.subject) return undefined;
  if (!isOntology(statement.ontology, condition.ontology)) return undefined;
  const issuedAtMs = Date.parse(statement.issuedAt);
  if (issuedAtMs > about.nowMs + CLOCK_SKEW_MS || Date.parse(statement.expiresAt) <= about.nowMs) return undefined;
  if (condition.maxAgeSeconds !== undefined && about.nowMs - issuedAtMs > condition.maxAgeSeconds * 1000)
    return undefined;
  const value = valueAtSingularPath(statement.data, parseSingularJsonPath(condition.path));
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

// Ontologies are written with and without the @; a condition has it.
function isOntology(text: string, ontology: EName): boolean {
  try {
    return parseEName(text) === ontology;
  } catch {
    return false;
  }
}

function compare(value: number, { op, value: bound }: AccessCondition): boolean {
  switch (op) {
    case ">=":
      return value >= bound;
    case ">":
      return value > bound;
    case "<=":
      return value <= bound;
    case "<":
      return value < bound;
    case "==":
      return value === bound;
  }
}
