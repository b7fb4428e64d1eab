import { type EName, parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey } from "@dataspace/protocol/public-key";

/** The members of a JSON object as they came. */
export type Members = Readonly<Record<string, unknown>>;

/** Reads a value as members, or undefined when it is not a JSON object. Refuses: never. */
export function toMembers(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

/** Reads a value as text, or undefined when it is not text or empty. Refuses: never. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads a value as a canonical eName, or undefined when it is invalid. Refuses: never. Source: decision I1. */
export function toEName(value: unknown): EName | undefined {
  try {
    return parseEName(value as string);
  } catch {
    return undefined;
  }
}

/**
 * Reads the point of a public key's text, or undefined when it is not a P-256 key. Refuses: never. Source: decision I9.
 */
export function toPoint(value: unknown): Uint8Array | undefined {
  try {
    return decodePublicKey(value as string).point;
  } catch {
    return undefined;
  }
}

/** Runs a reader that throws, and gives undefined where it does. Refuses: never. */
export function readOrUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
