import { type EName, parseEName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";

/** A signature of a binding document as GraphQL has it. */
export interface SignatureInput {
  readonly signer: string;
  readonly signature: string;
  readonly timestamp: string;
}

/** A stored signature: texts as given, the signer's eName normalised. Source: S1 "Binding document". */
export interface DocumentSignature {
  readonly signer: EName;
  readonly signature: string;
  readonly timestamp: string;
}

/** Far more than any encoding of an ECDSA P-256 signature needs. */
const MAX_SIGNATURE_CHARACTERS = 2_048;
// Wallets also write local times without an offset, which ISO 8601 allows.
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;

/**
 * Checks the form of a signature, not its validity.
 *
 * In: `field` is its place, for messages. Refuses: INVALID_ENAME (the signer), BAD_USER_INPUT (the timestamp, a
 * signature over 2,048 characters). Source: S1 "Binding document"; decisions I1, V25.
 */
export function readSignature(input: SignatureInput, field: string): DocumentSignature {
  const { signature, timestamp } = input;
  if (signature.length > MAX_SIGNATURE_CHARACTERS) {
    const message = `A signature has at most ${MAX_SIGNATURE_CHARACTERS} characters.`;
    throw refusal("BAD_USER_INPUT", message, `${field}.signature`);
  }
  if (!isDateTime(timestamp)) {
    const message = "A timestamp is a date and time of ISO 8601, such as 2026-01-31T12:00:00Z.";
    throw refusal("BAD_USER_INPUT", message, `${field}.timestamp`);
  }
  return { signer: readSigner(input.signer, `${field}.signer`), signature, timestamp };
}

function readSigner(signer: string, field: string): EName {
  try {
    return parseEName(signer);
  } catch {
    throw refusal("INVALID_ENAME", "A signer is an eName such as @<uuid>.", field);
  }
}

function isDateTime(text: string): boolean {
  const date = DATE_TIME.exec(text)?.[1];
  const time = Date.parse(`${date}T00:00:00Z`);
  // `Date` carries a day that its month does not have into the next month.
  return date !== undefined && !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
