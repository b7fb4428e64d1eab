import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import { PERMISSIONS, type Permission } from "./permission.ts";
import type { PolicyAsker, PolicyFacts } from "./policy-asker.ts";
import { conditionKey } from "./policy-terms.ts";

/** The question: may this asker do this under this policy, given these facts? */
export interface PolicyQuestion {
  readonly policy: AccessPolicy;
  readonly asker: PolicyAsker;
  readonly permission: Permission;
  readonly facts: PolicyFacts;
}

/**
 * The decision and its reason. Callers outside receive `allow` only; the rest is for the log.
 *
 * - `denied_by_ename`: the person, the platform or the eName on whose behalf it acts is denied by name.
 * - `denied_by_group`: a denied group contains one of them, or cannot be reached.
 * - `denied_by_condition`: a condition among the denials is not met.
 * - `unauthenticated`: nothing denies, but a policy admits authenticated askers only.
 * - `grant`: the most specific grant decided: `rank` 3 the person's, 2 the platform's, 1 those of groups, united in
 * `perms`.
 * - `ontology`: no grant names the asker; `group` of `require` (from 0) is the first that passes, `perms` the default
 * ones.
 * - `no_matching_group`: no grant names the asker, and no group passes.
 */
export type PolicyDecision =
  | { readonly allow: false; readonly reason: Denial | "unauthenticated" | "no_matching_group" }
  | { readonly allow: boolean; readonly reason: "grant"; readonly rank: Rank; readonly perms: number }
  | { readonly allow: boolean; readonly reason: "ontology"; readonly group: number; readonly perms: number };

type Denial = "denied_by_ename" | "denied_by_group" | "denied_by_condition";
type Rank = 1 | 2 | 3;

/**
 * Decides by a policy: denials first, then the most specific grant alone, then the ontology groups. The vault's owner
 * is an asker like any other. An asker whom a grant names never reaches the groups, even where they would give more.
 *
 * Refuses: never; what is not allowed is denied. Source: S1 "Authentication" (`_acl` decision order); decisions V11,
 * I5.
 */
export function decideByPolicy(question: PolicyQuestion): PolicyDecision {
  const denial = findDenial(question);
  if (denial !== undefined) return { allow: false, reason: denial };
  if (!question.asker.authenticated) return { allow: false, reason: "unauthenticated" };
  return decideByGrants(question) ?? decideByOntologyGroups(question);
}

function findDenial({ policy, asker, facts }: PolicyQuestion): Denial | undefined {
  const { enames, conditions } = policy.denials;
  const identities = [asker.ename, asker.platform, asker.onBehalfOf];
  if (enames.some((ename) => identities.includes(ename))) return "denied_by_ename";
  if (enames.some((ename) => facts.deniedThrough.has(ename))) return "denied_by_group";
  if (conditions.some((condition) => !facts.passed.has(conditionKey(condition)))) return "denied_by_condition";
  return undefined;
}

function decideByGrants({ policy, asker, permission, facts }: PolicyQuestion): PolicyDecision | undefined {
  const ranked = policy.grants.map(({ ename, perms }) => ({ rank: rankOf(ename, asker, facts), perms }));
  const rank = ([3, 2, 1] as const).find((candidate) => ranked.some((grant) => grant.rank === candidate));
  if (rank === undefined) return undefined;
  const perms = ranked.reduce((united, grant) => (grant.rank === rank ? united | grant.perms : united), 0);
  return { allow: isIn(perms, permission), reason: "grant", rank, perms };
}

function rankOf(ename: EName, asker: PolicyAsker, facts: PolicyFacts): Rank | undefined {
  if (ename === asker.ename) return 3;
  if (ename === asker.platform) return 2;
  return facts.memberOf.has(ename) ? 1 : undefined;
}

function decideByOntologyGroups({ policy, permission, facts }: PolicyQuestion): PolicyDecision {
  const group = policy.require.findIndex((conditions) =>
    conditions.every((condition) => facts.passed.has(conditionKey(condition))),
  );
  if (group === -1) return { allow: false, reason: "no_matching_group" };
  const perms = policy.default_perms;
  return { allow: isIn(perms, permission), reason: "ontology", group, perms };
}

function isIn(perms: number, permission: Permission): boolean {
  return (perms & PERMISSIONS[permission]) !== 0;
}
