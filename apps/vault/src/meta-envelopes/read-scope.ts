/**
 * Which of an owner's MetaEnvelopes a caller may read, in a form that a statement can filter by. For each it agrees
 * exactly with the guard.
 *
 * `arrays` concerns those under a legacy array. `owner`: all, quarantined ones too. `all`: those not quarantined.
 * `all-and-openings`: these, and the quarantined ones that somebody else opened. `listed`: those not quarantined whose
 * array names one of `entries`, and those that one of `entries` opened, quarantined ones too. `policies` are the keys
 * of the owner's policies that let the caller read: a MetaEnvelope under `_acl` is visible exactly when its policy is
 * among them. Where there are `ontologies`, the caller sees nothing of any other.
 *
 * Source: S1 "Access guard"; decisions V13, V14, A2.
 */
export interface ReadScope {
  readonly arrays:
    | { readonly kind: "owner" | "all" | "all-and-openings" | "none" }
    | { readonly kind: "listed"; readonly entries: readonly string[] };
  readonly policies: readonly string[];
  readonly ontologies: readonly string[] | undefined;
}
