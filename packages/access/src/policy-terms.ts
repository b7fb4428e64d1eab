import { canonical } from "@dataspace/protocol/canonical-json";
import type { AccessCondition, AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";

/** What has to be found out about an asker before a policy can decide, each once. */
export interface PolicyTerms {
  /** The eNames of grants and denials; which of them are groups only their vaults know. */
  readonly enames: readonly EName[];
  readonly conditions: readonly AccessCondition[];
}

/** Lists the terms of a policy, in the order in which they first occur. Refuses: never. Source: decisions V23, V24. */
export function policyTerms({ grants, denials, require }: AccessPolicy): PolicyTerms {
  const conditions = [...denials.conditions, ...require.flat()];
  return {
    enames: [...new Set([...grants.map(({ ename }) => ename), ...denials.enames])],
    conditions: [...new Map(conditions.map((condition) => [conditionKey(condition), condition])).values()],
  };
}

// A policy is read once and decides many times, and its conditions never change.
const keys = new WeakMap<AccessCondition, string>();

/**
 * Names a condition by all it says, so that two conditions have one key exactly when they ask the same.
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
