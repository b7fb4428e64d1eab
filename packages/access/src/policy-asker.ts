import type { EName } from "@dataspace/protocol/ename";

/**
 * The asker of a policy decision.
 *
 * `ename` is the proven person. `platform` is the proven platform that carries the request or acts for itself.
 * `onBehalfOf` is whom a platform claims to act for; it is not proven, so it can only narrow. A legacy platform token
 * is authenticated but proves no name: its `ename` and `platform` are null.
 *
 * Source: S1 "Authentication"; decisions I4, I5.
 */
export interface PolicyAsker {
  readonly authenticated: boolean;
  readonly ename: EName | null;
  readonly platform: EName | null;
  readonly onBehalfOf: EName | null;
}

/**
 * Resolved facts about an asker, as data that a statement can take as parameters too.
 *
 * - `memberOf`: the groups known to contain `ename` or `platform` that may give grants. Left out are groups that cannot
 * be reached, groups
 * whose manifest somebody else wrote last, and groups that contain only `onBehalfOf`.
 * - `deniedThrough`: the groups that contain `ename`, `platform` or `onBehalfOf`, and those whose members are unknown.
 * - `passed`: the keys of the conditions that the subject (`platform`, else `ename`) is known to meet.
 *
 * A group that could not be resolved is therefore only in `deniedThrough`: its grant is withheld and its denial
 * applies. An unresolved condition fails.
 * Source: decisions V23, V24.
 */
export interface PolicyFacts {
  readonly memberOf: ReadonlySet<EName>;
  readonly deniedThrough: ReadonlySet<EName>;
  readonly passed: ReadonlySet<string>;
}
