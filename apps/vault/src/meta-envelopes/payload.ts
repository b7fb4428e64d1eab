import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import { LOSSY_NUMBER_MEMBER } from "@dataspace/service-kit/lossy-numbers";
import { refusal } from "../errors.ts";

/** A payload: one JSON object. */
export type Payload = JsonObject;

const MAX_DEPTH = 64;
const MAX_FIELDS = 1_000;
const MAX_SIZE_BYTES = 1_048_576;

/**
 * Checks that a value is a payload that will come back exactly as it was given.
 *
 * In: `value` as parsed from the request; `field` is where it stood, for messages.
 * Refuses: BAD_USER_INPUT (not an object), INVALID_TEXT, NUMBER_PRECISION, INVALID_KEY, PAYLOAD_TOO_LARGE (deeper than 64,
 * more than 1,000 fields), each with the path of the first place at fault.
 * Source: decision V7.
 */
export function assertPayload(value: unknown, field: string): asserts value is Payload {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal("BAD_USER_INPUT", "A payload is a JSON object; wrap the value in one.", field);
  }
  assertLossless(value, field, 1);
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
    throw refusal("PAYLOAD_TOO_LARGE", "A MetaEnvelope holds at most 1 MiB of JSON; split it or upload a file.", "payload");
  }
  return text;
}

/** One value still to be looked at. `parent` leads back to the payload, to name the place when it is at fault. */
interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Checks a JSON value at any depth, without recursion, since the nesting is the caller's to choose.
 *
 * In: `depth` of the value itself, a payload being 1. Refuses: as {@link assertPayload}.
 */
export function assertLossless(value: unknown, field: string, depth: number): void {
  const stack: Place[] = [{ value, depth, key: field, parent: undefined }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (typeof place.value === "string") assertText(place.value, place);
    else if (typeof place.value === "object" && place.value !== null) pushMembers(stack, place, place.value);
  }
}

function pushMembers(stack: Place[], place: Place, value: object): void {
  if (place.depth > MAX_DEPTH) {
    throw refusal("PAYLOAD_TOO_LARGE", `A payload is nested at most ${MAX_DEPTH} levels deep; flatten it.`, rootOf(place));
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) pushMember(stack, place, `[${index}]`, value[index]);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === "__proto__") throw refusal("INVALID_KEY", "The key __proto__ is not allowed; rename it.", pathOf(place));
    if (key === LOSSY_NUMBER_MEMBER) throw lossyNumber(place);
    assertText(key, place);
    pushMember(stack, place, `.${key}`, (value as Record<string, unknown>)[key]);
  }
}

function pushMember(stack: Place[], parent: Place, key: string, value: unknown): void {
  if (typeof value === "string" || (typeof value === "object" && value !== null)) {
    stack.push({ value, depth: parent.depth + 1, key, parent });
  }
}

function assertText(text: string, place: Place): void {
  if (text.isWellFormed() && !text.includes("\u0000")) return;
  throw refusal("INVALID_TEXT", "A string holds U+0000 or an unpaired surrogate; remove it.", pathOf(place));
}

function lossyNumber(place: Place) {
  const message = "This number cannot be kept exactly as a double; send it as a string.";
  return refusal("NUMBER_PRECISION", message, pathOf(place));
}

function rootOf(place: Place): string {
  let at = place;
  while (at.parent !== undefined) at = at.parent;
  return at.key;
}

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse().join("").toWellFormed().replaceAll("\u0000", "\uFFFD").slice(0, 1_000);
}
