/**
 * Who may read a record, as the vault states beside each event: the legacy array or the `_acl` block in force, and the
 * owner's access policy for platforms; null where there is none. Source: decisions E4, E5.
 */
export interface EventPolicy {
  readonly acl: readonly string[] | null;
  readonly _acl: unknown;
  readonly owner: unknown;
}
