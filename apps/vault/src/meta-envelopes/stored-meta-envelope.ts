import type { EName } from "@dataspace/protocol/ename";

/**
 * A MetaEnvelope as it lies in the store, active or removed.
 *
 * `payloadText` is compact JSON, kept when removed. `acl` is the legacy array; `aclBlock` is `_acl` as JSON text and decides
 * alone when present. `version` 0 means that it was written before versioning. `openedBy` is whoever opened a social_connection
 * in another's vault. `guest` tells that it counts against the quota of guests. `ord` is its place in creation order.
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
 * What an answer is made from. What decides over it is there only to be said as the policy in force; the legacy array itself
 * is in no answer. Source: S1 "Access guard" step 3.
 */
export type VisibleMetaEnvelope = Pick<
  StoredMetaEnvelope,
  "id" | "ontology" | "payloadText" | "acl" | "aclBlock" | "quarantined" | "ord"
>;
