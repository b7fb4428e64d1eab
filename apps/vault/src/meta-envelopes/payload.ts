import { LOSSY_NUMBER_MEMBER } from "@dataspace/service-kit/http/lossy-numbers";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import { refusal } from "../errors.ts";

/** A payload: one JSON object. */
export type Payload = JsonObject;

const MAX_DEPTH = 64;
const MAX_FIELDS = 1_000;
const MAX_SIZE_BYTES = 1_048_576;
const MAX_PATH_CHARACTERS = 1_000;

/**
 * Checks that a value is a payload that can be returned exactly as given.
 *
 * In: `value` as parsed from the request; `field` is its place, for messages.
 * Refuses: BAD_USER_INPUT (not an object), INVALID_TEXT, NUMBER_PRECISION, INVALID_KEY, PAYLOAD_TOO_LARGE (deeper than
 * 64, more than 1,000 fields), each with the path of the first place at fault.
 * Source: decision V7.
 */
export function assertPayload(value: unknown, field: string): asserts value is Payload {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal("BAD_USER_INPUT", "A payload is a JSON object; wrap the value in one.", field);
  }
  assertLossless(value, { field, depth: 1 });
  if (Object.keys(value).length > MAX_FIELDS) {
    throw refusal("PAYLOAD_TOO_LARGE", `A payload has at most ${MAX_FIELDS} fields; nest some of them.`, field);
  }
}

/**
 * Writes a checked payload as the compact JSON text that is stored.
 *
 * Refuses: PAYLOAD_TOO_LARGE when the text is longer than 1 MiB in UTF-8. Source: decision P9.
 */
export function payloadToText(payload: Payload): string {
  const text = JSON.stringify(payload);
  if (text.length > MAX_SIZE_BYTES / 3 && Buffer.byteLength(text) > MAX_SIZE_BYTES) {
    throw refusal(
      "PAYLOAD_TOO_LARGE",
      "A MetaEnvelope holds at most 1 MiB of JSON; split it or upload a file.",
      "payload",
    );
  }
  return text;
}

/** An object or array still to be checked. `parent` leads back to the payload, to name the place of a fault. */
interface Place {
  readonly value: object;
  readonly depth: number;
  readonly key: string | number;
  readonly parent: Place | undefined;
}

/** The value to check, its place (for messages), and its depth, where a payload is 1. */
interface LosslessCheck {
  readonly field: string;
  readonly depth: number;
}

/**
 * Checks a JSON value of any depth, without recursion, since the caller chooses the nesting.
 *
 * Refuses: as {@link assertPayload}. Source: decision V7.
 */
function assertLossless(value: unknown, { field, depth }: LosslessCheck): void {
  // The value is treated as the single member of an enclosing list.
  const root: Place = { value: [value], depth: depth - 1, key: field, parent: undefined };
  const stack: Place[] = [];
  checkMember(stack, root, [0, value]);
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (place.depth > MAX_DEPTH) {
      throw refusal("PAYLOAD_TOO_LARGE", `A payload is nested at most ${MAX_DEPTH} levels deep; flatten it.`, field);
    }
    for (const member of membersOf(place)) checkMember(stack, place, member);
  }
}

type Member = readonly [key: string | number, value: unknown];

function membersOf(place: Place): Iterable<Member> {
  return Array.isArray(place.value) ? place.value.entries() : checkedEntries(place);
}

function checkedEntries(place: Place): readonly Member[] {
  const entries = Object.entries(place.value);
  for (const [key] of entries) {
    if (key === "__proto__")
      throw refusal("INVALID_KEY", "The key __proto__ is not allowed; rename it.", pathOf(place));
    if (key === LOSSY_NUMBER_MEMBER) {
      const message = "This number cannot be represented exactly as a double; send it as a string.";
      throw refusal("NUMBER_PRECISION", message, pathOf(place));
    }
    if (!isStorable(key)) throw invalidText(pathOf(place));
  }
  return entries;
}

function checkMember(stack: Place[], parent: Place, [key, value]: Member): void {
  if (typeof value === "string") {
    if (!isStorable(value)) throw invalidText(pathOf({ value: parent, depth: 0, key, parent }));
  } else if (typeof value === "object" && value !== null) {
    stack.push({ value, depth: parent.depth + 1, key, parent });
  }
}

/** Checks that a text is well-formed and has no U+0000, which PostgreSQL cannot store. Source: decision V7. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

function invalidText(path: string): Refusal {
  return refusal("INVALID_TEXT", "A string holds U+0000 or an unpaired surrogate; remove it.", path);
}

function pathOf(place: Place): string {
  const keys: (string | number)[] = [];
  let at = place;
  for (; at.parent?.parent !== undefined; at = at.parent) keys.push(at.key);
  const root = String(at.parent?.key ?? at.key);
  const path = keys.reverse().map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  return `${root}${path.join("")}`.toWellFormed().slice(0, MAX_PATH_CHARACTERS);
}
