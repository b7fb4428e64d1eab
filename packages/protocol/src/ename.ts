import { ProtocolError } from "./protocol-error.ts";
import { isUuid } from "./uuid.ts";

declare const enameBrand: unique symbol;

/** A canonical eName: `@` and a lower-case UUID. Only `parseEName` and `isEName` produce one. */
export type EName = string & { readonly [enameBrand]: true };

const MAX_CHARS = 128;
const CANONICAL = /^@[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Normalises an eName from people and clients: trims, adds a missing `@`, lower-cases.
 *
 * In: up to 128 characters; the UUID may be of any variant and version. Out: the canonical spelling.
 * Refuses: INVALID_ENAME for anything else.
 * Source: S1 Conventions; decision I1.
 */
export function parseEName(text: string): EName {
  const trimmed = typeof text === "string" && text.length <= MAX_CHARS ? text.trim() : "";
  const uuid = trimmed.startsWith("@") ? trimmed.slice(1) : trimmed;
  if (!isUuid(uuid)) {
    throw new ProtocolError("INVALID_ENAME", "This is not an eName. Write @ followed by a UUID.");
  }
  return `@${uuid.toLowerCase()}` as EName;
}

/**
 * Checks whether a value is an eName in canonical spelling.
 *
 * Refuses: never.
 * Source: decision I1.
 */
export function isEName(value: unknown): value is EName {
  return typeof value === "string" && CANONICAL.test(value);
}
