import { canonical } from "@dataspace/protocol/canonical-json";
import type { AccessCondition, AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { PolicyAsker } from "./policy-asker.ts";

/** The facts that must be resolved about an asker before a policy can decide, each once. */
export interface PolicyTerms {
  /** ENames of denials and grants; only their vaults know which of them are groups. */
  readonly enames: readonly EName[];
  /** Those of them that denials name. */
  readonly deniedENames: readonly EName[];
  readonly conditions: readonly AccessCondition[];
}

const NOTHING: PolicyTerms = { enames: [], deniedENames: [], conditions: [] };

/**
 * Lists the facts that a policy needs about an asker, denials first. The list is empty where a denial names the asker.
 * Where a grant names the asker, groups of grants and the conditions of `require` are left out, since that grant
 * decides.
 *
 * Refuses: never. Source: S1 "Authentication" (`_acl` decision order); decisions V23, V24.
 */
export function policyTerms({ grants, denials, require }: AccessPolicy, asker: PolicyAsker): PolicyTerms {
  const identities = [asker.ename, asker.platform, asker.onBehalfOf];
  if (denials.enames.some((ename) => identities.includes(ename))) return NOTHING;
  const isNamed = grants.some(({ ename }) => ename === asker.ename || ename === asker.platform);
  const groups = isNamed ? [] : grants.map(({ ename }) => ename);
  const conditions = isNamed ? denials.conditions : [...denials.conditions, ...require.flat()];
  return {
    enames: [...new Set([...denials.enames, ...groups])],
    deniedENames: [...new Set(denials.enames)],
    conditions: [...new Map(conditions.map((condition) => [conditionKey(condition), condition])).values()],
  };
}

// A policy is parsed once and decides many times, and its conditions never change.
const keys = new WeakMap<AccessCondition, string>();

/**
 * Computes a key from everything that a condition says, so that equal conditions have equal keys.
 *
 * Out: its canonical JSON text. Refuses: never, for a condition of a parsed policy. Source: RFC 8785; decision V24.
 */
export function conditionKey(condition: AccessCondition): string {
  const known = keys.get(condition);
  if (known !== undefined) return known;
  const key = canonical(condition);
  keys.set(condition, key);
  return key;
}
