import { type EName, parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { isUuid } from "@dataspace/protocol/uuid";
import type { Submission } from "@dataspace/platform-auth/release-submission";
import { type AuthorityErrorCode, authorityRefusal } from "../errors.ts";

const LONGEST_TEXT = 16_384;
const LONGEST_PROOF = 4_096;

/** Reads a submission as it was sent. Refuses: BAD_REQUEST, naming the member. Source: decision A1. */
export function readSubmission(body: unknown): Submission {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw authorityRefusal("BAD_REQUEST", "Send a JSON object as the request body.");
  const text = (name: string, longest: number): string => {
    const value: unknown = (body as Readonly<Record<string, unknown>>)[name];
    if (typeof value === "string" && value.length > 0 && value.length <= longest) return value;
    throw authorityRefusal("BAD_REQUEST", `Give ${name} as text of 1 to ${longest} characters.`);
  };
  return {
    statementText: text("statementText", LONGEST_TEXT),
    payload: text("payload", LONGEST_PROOF),
    signature: text("signature", LONGEST_PROOF),
    publicKey: text("publicKey", LONGEST_PROOF),
    keyBindingCertificate: text("keyBindingCertificate", LONGEST_PROOF),
  };
}

/** Reads an id in a path, a UUID. Refuses: `code`, for an id of another form names nothing. */
export function readId(value: unknown, code: AuthorityErrorCode): string {
  if (isUuid(value)) return value;
  throw authorityRefusal(code, "There is nothing with this id; ids are UUIDs.");
}

/** Reads an eName in a query. Refuses: BAD_REQUEST. Source: decision I1. */
export function readEName(value: unknown, name: string): EName {
  try {
    return parseEName(value as string);
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof TypeError)) throw error;
    throw authorityRefusal("BAD_REQUEST", `Give ${name} once, as an eName: @ and a UUID.`);
  }
}

/** Reads a text in a query. Refuses: BAD_REQUEST for none, an empty one, one above 64 characters, or one with U+0000. */
export function readVersion(value: unknown): string {
  if (typeof value === "string" && value.length > 0 && value.length <= 64 && !value.includes("\0")) return value;
  throw authorityRefusal("BAD_REQUEST", "Give version once, as text of 1 to 64 characters without U+0000.");
}

/** Reads a whole number in a query or path. Refuses: BAD_REQUEST outside of its bounds. */
export function readNumber(
  value: unknown,
  {
    name,
    min,
    max,
    absent,
  }: { readonly name: string; readonly min: number; readonly max: number; readonly absent?: number },
): number {
  if (value === undefined && absent !== undefined) return absent;
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw authorityRefusal("BAD_REQUEST", `Give ${name} as a whole number from ${min} to ${max}.`);
}
