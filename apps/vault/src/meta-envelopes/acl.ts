import { parseEName } from "@dataspace/protocol/ename";
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
