import type { EName } from "@dataspace/protocol/ename";
import type { LoadedAccess } from "./load-records.ts";
import { grantingPolicy, pairsOf } from "./sample-policies.ts";

/** One way in which somebody may see a share of an owner's MetaEnvelopes. */
export interface ShareShape {
  readonly name: string;
  /** The access of each of so many, numbered from 1 in creation order. */
  readonly accessOf: (count: number) => (number: number) => LoadedAccess;
}

/** Who takes part: the owner, who may see everything, the caller, and others with whom the owner shares. */
export interface Parties {
  readonly owner: EName;
  readonly caller: EName;
  readonly strangers: readonly EName[];
}

const OWNER_ALONE: LoadedAccess = { acl: null, aclBlock: null };
const POLICIES = 20;

/**
 * The shapes: the caller's share by the legacy array or by one of twenty policies, spread evenly or all of it newest. Of the rest
 * half is shared with others in the same way, half is the owner's alone.
 */
export function shareShapes({ owner, caller, strangers }: Parties, share: number): readonly ShareShape[] {
  const policies = pairsOf(strangers)
    .slice(0, POLICIES - 1)
    .map((pair) => byPolicy(owner, pair));
  const ofCaller = byPolicy(owner, [caller, strangers[0] as EName]);
  const arrays = strangers.map((acl) => ({ acl, aclBlock: null }));
  const every = Math.round(1 / share);
  return [
    {
      name: "by legacy array, spread",
      accessOf: () => (number) => (number % every === 0 ? { acl: caller, aclBlock: null } : restOf(arrays, number)),
    },
    {
      name: "by policy, spread",
      accessOf: () => (number) => (number % every === 0 ? ofCaller : restOf(policies, number)),
    },
    {
      name: "by policy, all newest",
      accessOf: (count) => (number) => (number > count * (1 - share) ? ofCaller : restOf(policies, number)),
    },
  ];
}

function byPolicy(owner: EName, readers: readonly EName[]): LoadedAccess {
  return { acl: null, aclBlock: JSON.stringify(grantingPolicy(owner, readers)) };
}

function restOf(shared: readonly LoadedAccess[], number: number): LoadedAccess {
  return number % 2 === 0 ? OWNER_ALONE : (shared[(number >> 1) % shared.length] as LoadedAccess);
}
