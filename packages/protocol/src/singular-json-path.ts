import type { JsonObject, JsonValue } from "./meta-envelope.ts";
import { ProtocolError } from "./protocol-error.ts";

const MAX_CHARS = 1024;
const MAX_SEGMENTS = 64;
const SEGMENT =
  /\.([A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*)|\[(0|-?[1-9][0-9]{0,14})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/uy;

/**
 * Parses a JSONPath that names at most one value: `$`, then member names and array positions (`$.a.b[0]['c']`).
 *
 * In: at most 1,024 characters and 64 steps, no white space between steps. Out: a string for each member name, a number
 * for each position (negative counts from the end).
 * Refuses: INVALID_ACL for wildcards, slices, filters, descendants and malformed text.
 * Source: RFC 9535 section 2.3.5.1 (singular queries); decision V11.
 */
export function parseSingularJsonPath(text: string): readonly (string | number)[] {
  if (text.length > MAX_CHARS || !text.startsWith("$") || !text.isWellFormed()) {
    throw refusal();
  }
  const steps: (string | number)[] = [];
  SEGMENT.lastIndex = 1;
  for (let at = 1; at < text.length; at = SEGMENT.lastIndex) {
    const segment = SEGMENT.exec(text);
    if (segment === null || steps.length === MAX_SEGMENTS) {
      throw refusal();
    }
    steps.push(readStep(segment));
  }
  return steps;
}

/**
 * Returns the value that a path names.
 *
 * In: steps from `parseSingularJsonPath`. Out: undefined where there is no value. Refuses: never.
 * Source: RFC 9535 sections 2.3.1 and 2.3.3.
 */
export function valueAtSingularPath(value: JsonValue, steps: readonly (string | number)[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of steps) {
    if (typeof at !== "object" || at === null) return undefined;
    if (Array.isArray(at)) at = typeof step === "number" ? (at.at(step) as JsonValue | undefined) : undefined;
    else at = typeof step === "string" && Object.hasOwn(at, step) ? (at as JsonObject)[step] : undefined;
  }
  return at;
}

function readStep([, name, position, singleQuoted, doubleQuoted]: RegExpExecArray): string | number {
  if (name !== undefined) {
    return name;
  }
  if (position !== undefined) {
    return Number(position);
  }
  // JSON parses the other escapes; only the quote itself is escaped differently.
  const inJson = doubleQuoted ?? singleQuoted?.replaceAll(/\\'|\\?"|\\./gs, requote) ?? "";
  try {
    return JSON.parse(`"${inJson}"`);
  } catch {
    throw refusal();
  }
}

function requote(part: string): string {
  if (part === "\\'") {
    return "'";
  }
  if (part === '\\"') {
    // Not an escape between single quotes (RFC 9535 section 2.3.1.1), although JSON has it.
    throw refusal();
  }
  return part === '"' ? '\\"' : part;
}

function refusal(): ProtocolError {
  return new ProtocolError(
    "INVALID_ACL",
    "A path names one value: $ and then names and positions, as in $.a.b[0]['c'].",
  );
}
