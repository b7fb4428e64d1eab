import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { refusal } from "../errors.ts";

const MAX_ENTRIES = 256;

/**
 * Reads a legacy access array: each entry is `*` or an eName, which is normalised.
 *
 * Refuses: INVALID_ACL naming the entry. Source: S1 "Legacy array meanings"; decision V12.
 */
export function readAcl(entries: readonly string[]): readonly string[] {
  if (entries.length > MAX_ENTRIES) throw refusal("INVALID_ACL", `An acl has at most ${MAX_ENTRIES} entries.`, "acl");
  return entries.map(readEntry);
}

function readEntry(entry: string, index: number): string {
  if (entry === "*") return entry;
  try {
    return parseEName(entry);
  } catch {
    throw refusal("INVALID_ACL", "An acl entry is * or an eName such as @<uuid>.", `acl[${index}]`);
  }
}

/**
 * Reads an `_acl` block from a client into the JSON text that is stored.
 *
 * Out: undefined where none is given, null where it is null. Refuses: INVALID_ACL for the whole block, naming the
 * position.
 * Source: S1 "Access policy _acl"; decision V11.
 */
export function readAclBlock(block: unknown): string | null | undefined {
  if (block === undefined || block === null) return block;
  try {
    return JSON.stringify(parseAccessPolicy(block));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw refusal("INVALID_ACL", error.message, error.at === undefined ? "_acl" : `_acl.${error.at}`);
  }
}
