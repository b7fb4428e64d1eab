import type { EName } from "@dataspace/protocol/ename";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";

/** The content of a list: an owner's MetaEnvelopes that the caller may read, under a filter. */
export interface MetaEnvelopeListing {
  readonly owner: EName;
  readonly scope: ReadScope;
  readonly filter: MetaEnvelopeFilter;
}

/** A place in creation order; the list continues after it. */
export interface CreationPlace {
  readonly ord: number;
  readonly id: string;
}

/** A part of a list: so many rows, in creation order or against it, after a place, of so many bytes at most. */
export interface Stretch {
  readonly rowLimit: number;
  readonly direction: "forward" | "backward";
  readonly behind: CreationPlace | undefined;
  readonly mostBytes: number;
}

/** What is read of each MetaEnvelope of a list; `acl` is null where it is the owner alone. */
export const VISIBLE_COLUMNS = `id, ontology, payload as "payloadText", acl, acl_block as "aclBlock",
  quarantined, ord`;

/** The size of such a row; an array has 256 eNames at most. */
export const VISIBLE_BYTES = `octet_length("payloadText") + coalesce(octet_length("aclBlock"), 0) + coalesce(cardinality(acl), 0) * 40`;

/** The order of a list in a direction, as SQL. */
export function listOrder(direction: Stretch["direction"]): string {
  return direction === "forward" ? "ord asc, id asc" : "ord desc, id desc";
}
