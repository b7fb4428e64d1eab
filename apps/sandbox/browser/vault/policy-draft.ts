import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";

const ALL = 15;

/** What somebody may do in a draft: bits of permissions, or `denied`. */
export type Rights = number | "denied";

/** Makes the policy with which sharing begins where none can be read: the owner alone. Refuses: never. */
export function ownersPolicy(owner: EName): AccessPolicy {
  const denials = { enames: [], conditions: [] };
  return { v: 1, grants: [{ ename: owner, perms: ALL }], denials, default_perms: 0, require: [] };
}

/** Sets the rights of one eName; 0 removes it from the policy. Conditions stay as they are. Refuses: never. */
export function withRights(policy: AccessPolicy, ename: EName, rights: Rights): AccessPolicy {
  const grants = policy.grants.filter((grant) => grant.ename !== ename);
  const denied = policy.denials.enames.filter((one) => one !== ename);
  const { conditions } = policy.denials;
  if (rights === "denied") return { ...policy, grants, denials: { enames: [...denied, ename], conditions } };
  const granted = rights === 0 ? grants : [...grants, { ename, perms: rights }];
  return { ...policy, grants: granted, denials: { enames: denied, conditions } };
}

/**
 * Sets what everybody who is signed in may do. Groups of conditions always stay, so that taking rights away and giving
 * them back never drops a condition; without any, `require` becomes the group that everybody passes.
 *
 * Refuses: never. Source: S1 "Access policy".
 */
export function withOthers(policy: AccessPolicy, perms: number): AccessPolicy {
  const conditional = policy.require.filter((group) => group.length > 0);
  if (conditional.length > 0) return { ...policy, default_perms: perms };
  return { ...policy, default_perms: perms, require: perms === 0 ? [] : [[]] };
}
