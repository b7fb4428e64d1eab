import { type EName, parseEName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";

/**
 * Reads the eName in a header.
 *
 * In: the header's name, for messages, and its value. Refuses: INVALID_ENAME. Source: decision I1.
 */
export function readENameHeader(header: string, value: string): EName {
  try {
    return parseEName(value);
  } catch {
    throw refusal("INVALID_ENAME", `The header ${header} holds one eName: @ and a UUID.`, header);
  }
}

/** Reads the owner that a request addresses. Refuses: MISSING_ENAME, INVALID_ENAME. Source: S1 "Owner header". */
export function readOwner(header: string | readonly string[] | undefined): EName {
  if (typeof header !== "string" || header.trim() === "") {
    throw refusal("MISSING_ENAME", "Name the vault's owner in the header X-ENAME: @ and a UUID.", "X-ENAME");
  }
  return readENameHeader("X-ENAME", header);
}
