import type { EName } from "@dataspace/protocol/ename";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";

/** Which MetaEnvelopes a list holds: an owner's, as far as the caller may read them, under a filter. */
export interface MetaEnvelopeListing {
  readonly owner: EName;
  readonly scope: ReadScope;
  readonly filter: MetaEnvelopeFilter;
}

/** A place in creation order; the list goes on behind it. */
export interface CreationPlace {
  readonly ord: number;
  readonly id: string;
}

/** A stretch of a list: so many rows, in creation order or against it, behind a place. */
export interface Stretch {
  readonly rowLimit: number;
  readonly direction: "forward" | "backward";
  readonly behind: CreationPlace | undefined;
}

/** What is read of each MetaEnvelope of a list; `acl` is null where it is the owner alone. */
export const VISIBLE_COLUMNS = `id, ontology, payload as "payloadText", acl, acl_block as "aclBlock",
  quarantined, ord`;
