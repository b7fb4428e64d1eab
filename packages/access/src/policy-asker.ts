import type { EName } from "@dataspace/protocol/ename";

/**
 * Who asks, where a policy decides.
 *
 * `ename` is the proven person, `platform` the proven platform that carries the request or asks by itself, `onBehalfOf` who
 * a platform says it acts for: nobody has proven that, so it can only narrow. A legacy platform token is authenticated and
 * proves no name: its `ename` and `platform` are null.
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
 * What was found out about an asker beforehand, as data that a statement can take as its parameters too.
 *
 * - `memberOf`: the groups known to contain `ename` or `platform` that may give grants. A group that cannot be reached, or
 *   whose manifest somebody else than the group wrote last, is not among them, nor is one that contains only `onBehalfOf`.
 * - `deniedThrough`: the groups that contain `ename`, `platform` or `onBehalfOf`, and those of which it cannot be told.
 * - `passed`: the keys of the conditions that the subject (`platform`, else `ename`) is known to meet.
 *
 * What could not be resolved is thus only in `deniedThrough`: its grant is withheld, its denial held, its condition failed.
 * Source: decisions V23, V24.
 */
export interface PolicyFacts {
  readonly memberOf: ReadonlySet<EName>;
  readonly deniedThrough: ReadonlySet<EName>;
  readonly passed: ReadonlySet<string>;
}
