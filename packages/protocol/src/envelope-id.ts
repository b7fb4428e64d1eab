import { decodeBase64Url, encodeBase64Url } from "./base64url.ts";
import { ProtocolError } from "./protocol-error.ts";

/**
 * Makes the id of one Envelope: the MetaEnvelope's id, a dot, and the field's key in base64url.
 *
 * In: `recordId` non-empty; `fieldKey` well-formed text, possibly empty.
 * Refuses: INVALID_ENVELOPE_ID for text that does not survive UTF-8.
 * Source: S1 Envelope; decision V6 (ids are stable across updates and rollbacks).
 */
export function makeEnvelopeId(recordId: string, fieldKey: string): string {
  if (recordId === "" || !recordId.isWellFormed() || !fieldKey.isWellFormed()) {
    throw new ProtocolError(
      "INVALID_ENVELOPE_ID",
      "An Envelope id needs a MetaEnvelope id and a well-formed field key.",
    );
  }
  return `${recordId}.${encodeFieldKey(fieldKey)}`;
}

const encodedKeys = new Map<string, string>();
const MOST_ENCODED_KEYS = 5_000;
/** Longer keys are encoded each time, so that callers cannot fill the memory with them. */
const LONGEST_ENCODED_KEY = 100;

// A page repeats the same few keys; encoding them each time would dominate the cost of a page.
function encodeFieldKey(fieldKey: string): string {
  const known = encodedKeys.get(fieldKey);
  if (known !== undefined) return known;
  const encoded = encodeBase64Url(new TextEncoder().encode(fieldKey));
  if (fieldKey.length > LONGEST_ENCODED_KEY) return encoded;
  if (encodedKeys.size >= MOST_ENCODED_KEYS) encodedKeys.clear();
  encodedKeys.set(fieldKey, encoded);
  return encoded;
}

/**
 * Splits an Envelope's id at the last dot: a MetaEnvelope's id may contain dots, base64url never does.
 *
 * Refuses: INVALID_ENVELOPE_ID for any text that `makeEnvelopeId` cannot produce.
 * Source: decision V6.
 */
export function splitEnvelopeId(text: string): { readonly recordId: string; readonly fieldKey: string } {
  const dot = text.lastIndexOf(".");
  const fieldKey = dot > 0 && text.isWellFormed() ? decodeFieldKey(text.slice(dot + 1)) : undefined;
  if (fieldKey === undefined) {
    throw new ProtocolError(
      "INVALID_ENVELOPE_ID",
      "This is not an Envelope id. Send the `id` of an Envelope as it was read.",
    );
  }
  return { recordId: text.slice(0, dot), fieldKey };
}

function decodeFieldKey(text: string): string | undefined {
  const bytes = decodeBase64Url(text);
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
