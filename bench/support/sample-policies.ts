import { type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";

const READ = 1;
const ALL = 15;

/** Makes a policy of grants: everything to the first, reading to the others. */
export function grantingPolicy(first: EName, others: readonly EName[]): AccessPolicy {
  const grants = [{ ename: first, perms: ALL }, ...others.map((ename) => ({ ename, perms: READ }))];
  return parseAccessPolicy({ grants });
}

/** The different pairs that can be picked of a list, in order. */
export function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((first, index) => items.slice(index + 1).map((second) => [first, second] as const));
}
