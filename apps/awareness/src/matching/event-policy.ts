/**
 * Who may read a record, as the vault states beside each event: the legacy array or the `_acl` block in force; null
 * where there is none. `owner` is an unreadable access policy of the owner, otherwise null: readable ones are stored by
 * owner, not by record. Source: decisions E4, E5.
 */
export interface EventPolicy {
  readonly acl: readonly string[] | null;
  readonly _acl: unknown;
  readonly owner: unknown;
}
