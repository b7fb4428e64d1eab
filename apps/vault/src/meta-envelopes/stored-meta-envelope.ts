/**
 * A MetaEnvelope as it lies in the store, active or removed.
 *
 * `payloadText` is compact JSON, kept when removed. `acl` is the legacy array; `aclBlock` is `_acl` as JSON text and decides
 * alone when present. `version` 0 means that it was written before versioning. `ord` is its place in creation order.
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
  readonly ord: number;
}

/** What a caller may see of a MetaEnvelope; the legacy array is never part of it. Source: S1 "Access guard" step 3. */
export interface VisibleMetaEnvelope {
  readonly id: string;
  readonly ontology: string;
  readonly payloadText: string;
  readonly ord: number;
}
