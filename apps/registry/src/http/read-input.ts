import { type EName, parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { registryRefusal } from "../errors.ts";

const MAX_TEXT_LENGTH = 256;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** The unchecked members of a JSON object from a caller. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a request's body as a JSON object; unknown members are ignored.
 *
 * Refuses: BAD_REQUEST. Source: decision X2.
 */
export function readMembers(body: unknown): Members {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw registryRefusal("BAD_REQUEST", "Send a JSON object as the request body.");
  }
  return body as Members;
}

/**
 * Reads one member as text that is safe to store and show: 1 to 256 characters, not blank, without control characters.
 *
 * Refuses: BAD_REQUEST that names the member. Source: decision X2.
 */
export function readText(members: Members, name: string): string {
  const value = members[name];
  // A character has one or two units. The units are counted first, since splitting a long text into characters takes
  // much memory.
  const isShort =
    typeof value === "string" && value.length <= 2 * MAX_TEXT_LENGTH && [...value].length <= MAX_TEXT_LENGTH;
  const fits = isShort && value.trim() !== "" && value.isWellFormed();
  if (!fits || CONTROL_CHARACTER.test(value)) {
    throw registryRefusal("BAD_REQUEST", `Give ${name} as text of 1 to ${MAX_TEXT_LENGTH} characters.`);
  }
  return value;
}

/**
 * Reads one member or query parameter as an eName.
 *
 * Out: the normalised eName. Refuses: BAD_REQUEST that names the member. Source: decision I1.
 */
export function readEName(members: Members, name: string): EName {
  const value = members[name];
  if (typeof value !== "string") {
    throw registryRefusal("BAD_REQUEST", `Give ${name} once, as an eName: @ and a UUID.`);
  }
  try {
    return parseEName(value);
  } catch (error) {
    if (error instanceof ProtocolError) {
      throw registryRefusal("BAD_REQUEST", `${name} is not an eName; write it as @ and a UUID.`);
    }
    throw error;
  }
}
