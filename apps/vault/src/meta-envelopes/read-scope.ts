/**
 * Which of an owner's MetaEnvelopes a caller may read, in a form that a statement can filter by. It says of each exactly what
 * the guard says of it alone.
 *
 * `arrays` is about those under a legacy array: the `owner` sees all, quarantined ones too; `all` are those not quarantined;
 * `all-and-openings` beside them the quarantined ones that somebody else opened; `listed` those of them whose array names one of
 * `entries`, and those that one of `entries` opened, quarantined ones too. `policies` are the keys of those of the owner's policies that let
 * the caller read: a MetaEnvelope under `_acl` is visible exactly when its policy is among them. Where there are `ontologies`, the caller
 * sees nothing of any other.
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
