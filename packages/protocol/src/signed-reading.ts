import { canonical } from "./canonical-json.ts";
import { type EName, parseEName } from "./ename.ts";
import { isIsoTime } from "./iso-time.ts";
import type { JsonObject, JsonValue } from "./meta-envelope.ts";
import { signedPayload } from "./signed-payload.ts";

/** An issuer's statement about a subject: `data` holds numbers and other values, as signed. Times are ISO 8601. */
export interface SignedReadingStatement {
  readonly type: "ds.signed-reading";
  readonly schemaVersion: 1;
  readonly subject: string;
  readonly ontology: string;
  readonly data: JsonValue;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** A statement with its signature, as stored in the subject's vault; eNames are canonical. */
export interface SignedReading {
  readonly statement: SignedReadingStatement;
  readonly subject: EName;
  readonly signature: string;
  readonly signer: EName;
}

const STATEMENT_MEMBERS = ["type", "schemaVersion", "subject", "ontology", "data", "issuedAt", "expiresAt"];

/**
 * Reads a payload as a signed reading.
 *
 * Out: undefined for any other value; an unknown member may change the meaning.
 * Refuses: never. Source: decision V24.
 */
export function readSignedReading(payload: JsonValue): SignedReading | undefined {
  if (!isObjectOf(payload, ["statement", "signature", "signer"])) return undefined;
  const { statement, signature } = payload;
  const signer = readEName(payload["signer"]);
  if (!isObjectOf(statement, STATEMENT_MEMBERS) || typeof signature !== "string" || signer === undefined)
    return undefined;
  const { type, schemaVersion, ontology, issuedAt, expiresAt } = statement;
  const subject = readEName(statement["subject"]);
  if (type !== "ds.signed-reading" || schemaVersion !== 1 || subject === undefined) return undefined;
  if (typeof ontology !== "string" || !isIsoTime(issuedAt) || !isIsoTime(expiresAt)) return undefined;
  return { statement: statement as JsonObject & SignedReadingStatement, subject, signature, signer };
}

/**
 * Writes the text that the issuer signs.
 *
 * Out: `ds:signed-reading:v1:` and the base64url SHA-256 of the canonical statement.
 * Refuses: rejects with CANONICAL_JSON for a statement outside the safe profile. Source: decision V24; RFC 8785.
 */
export async function signedReadingText(statement: SignedReadingStatement): Promise<string> {
  return signedPayload("signedReading", canonical(statement));
}

function isObjectOf(value: JsonValue | undefined, members: readonly string[]): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === members.length && members.every((member) => Object.hasOwn(value, member));
}

function readEName(value: JsonValue | undefined): EName | undefined {
  try {
    return parseEName(value as string);
  } catch {
    return undefined;
  }
}
