/**
 * Who may read a record, as the vault says it beside each event: the legacy array or the `_acl` block in force; null for what there
 * is not. `owner` is an access policy of the owner that cannot be read, and null otherwise: what can be is kept by owner, not by
 * record. Source: decisions E4, E5.
 */
export interface EventPolicy {
  readonly acl: readonly string[] | null;
  readonly _acl: unknown;
  readonly owner: unknown;
}
