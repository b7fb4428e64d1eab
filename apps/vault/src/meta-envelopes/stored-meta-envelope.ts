import type { EName } from "@dataspace/protocol/ename";

/**
 * A stored MetaEnvelope, active or removed.
 *
 * `payloadText` is compact JSON, retained after a removal. `acl` is the legacy array; `aclBlock` is `_acl` as JSON text
 * and decides alone when present. `version` 0 means that it was written before versioning. `openedBy` is who opened a
 * social_connection in another's vault. `guest`: it counts against the quota of guests. `ord` is its place in creation
 * order.
 *
 * Source: S1 "MetaEnvelope", "States and transitions".
 */
export interface StoredMetaEnvelope {
  readonly id: string;
  readonly ontology: string;
  readonly payloadText: string;
  readonly acl: readonly string[];
  readonly aclBlock: string | null;
  readonly version: number;
  readonly removed: boolean;
  readonly quarantined: boolean;
  readonly openedBy: EName | null;
  readonly guest: boolean;
  readonly ord: number;
}

/**
 * The part of a MetaEnvelope that answers are made from. Its access rules appear only as the policy in force; the
 * legacy array itself is never in an answer. Source: S1 "Access guard" step 3.
 */
export type VisibleMetaEnvelope = Pick<
  StoredMetaEnvelope,
  "id" | "ontology" | "payloadText" | "acl" | "aclBlock" | "quarantined" | "ord"
>;
