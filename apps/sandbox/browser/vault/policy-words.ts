import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import { POLICY_TEXTS } from "./policy-texts.ts";

/** The permissions by bit, in words. */
export const PERMISSION_WORDS: readonly (readonly [bit: number, word: string])[] = [
  [1, POLICY_TEXTS.permissions.read],
  [2, POLICY_TEXTS.permissions.create],
  [4, POLICY_TEXTS.permissions.update],
  [8, POLICY_TEXTS.permissions.delete],
];
const ALL = 15;
const READ_AND_UPDATE = 5;

/** What a policy gives its owner for sure: the permissions in bits, and whether a condition or a group can take them away. */
export interface OwnerRights {
  readonly perms: number;
  readonly isCertain: boolean;
}

/**
 * Describes in sentences whom a stored policy admits: denials, named grants, everybody else, the owner, platforms.
 *
 * The sentences follow the decision order and never claim more access, or more protection, than the policy has. The
 * owner is an asker like any other, a grant to a group admits its members, and nobody meets a condition without an
 * issuer.
 * Refuses: never; an invalid policy is described as unknown. Source: S1 "Access policy"; decisions V11, V12, V24.
 */
export function policyWords(block: unknown, owner: EName): readonly string[] {
  const policy = readPolicy(block);
  if (policy === undefined) return [POLICY_TEXTS.unreadable];
  return mayBeSimpleList(policy)
    ? [...sentencesOf(policy, owner), POLICY_TEXTS.simpleList]
    : sentencesOf(policy, owner);
}

/** Describes a policy that is not saved yet: once saved it is not a simple list, so a platform needs a grant. Refuses: never. */
export function draftWords(draft: AccessPolicy, owner: EName): readonly string[] {
  return [...sentencesOf(draft, owner), POLICY_TEXTS.draftPlatforms];
}

function sentencesOf(policy: AccessPolicy, owner: EName): readonly string[] {
  const { denials, grants, default_perms: others } = policy;
  if (deniesEverybody(policy)) {
    return [POLICY_TEXTS.nobody, ownerWords(ownerRights(policy, owner))];
  }
  const isDenied = (ename: EName): boolean => denials.enames.includes(ename);
  return [
    ...denials.enames.map((ename) => POLICY_TEXTS.denied(ename)),
    ...denials.conditions.map((one) => POLICY_TEXTS.deniedWithout(conditionWords(one))),
    ...grants
      .filter(({ ename }) => ename !== owner && !isDenied(ename))
      .map(({ ename, perms }) => POLICY_TEXTS.granted(ename, permissionWords(perms))),
    othersWords(policy, others),
    ownerWords(ownerRights(policy, owner)),
  ];
}

/** Parses a policy; undefined for an invalid one. Refuses: never. */
export function readPolicy(block: unknown): AccessPolicy | undefined {
  try {
    return parseAccessPolicy(block);
  } catch {
    return undefined;
  }
}

/** Computes what a policy gives the owner, by the order in which the vault decides. Refuses: never. */
export function ownerRights(policy: AccessPolicy, owner: EName): OwnerRights {
  const { denials, grants, default_perms: others } = policy;
  if (denials.enames.includes(owner) || deniesEverybody(policy)) return { perms: 0, isCertain: true };
  // A condition, or a denied eName that is a group, may also deny the owner.
  const isCertain = denials.conditions.length === 0 && denials.enames.length === 0;
  const own = grants.find(({ ename }) => ename === owner);
  if (own !== undefined) return { perms: own.perms, isCertain };
  const groups = groupsToMeet(policy);
  const isOpen = groups.some((group) => group.length === 0);
  if (isOpen) return { perms: others, isCertain: isCertain && grants.length === 0 };
  return { perms: 0, isCertain: isCertain && grants.length === 0 && groups.length === 0 };
}

/** Says what the owner would lose by a policy; undefined where reading and updating stay certain. Refuses: never. */
export function lockoutWarning(policy: AccessPolicy, owner: EName): string | undefined {
  const { perms, isCertain } = ownerRights(policy, owner);
  const has = (perms & READ_AND_UPDATE) === READ_AND_UPDATE;
  if (has && isCertain) return undefined;
  return has ? POLICY_TEXTS.mayLockOut : POLICY_TEXTS.locksOut(permissionWords(perms));
}

function ownerWords({ perms, isCertain }: OwnerRights): string {
  return (isCertain ? POLICY_TEXTS.owner : POLICY_TEXTS.ownerUnless)(permissionWords(perms));
}

function othersWords(policy: AccessPolicy, perms: number): string {
  const groups = groupsToMeet(policy);
  const others = policy.grants.length > 0 ? POLICY_TEXTS.anybodyElse : POLICY_TEXTS.others;
  if (perms === 0 || groups.length === 0) return POLICY_TEXTS.noOthers;
  if (groups.some((group) => group.length === 0)) return POLICY_TEXTS.othersMay(others, permissionWords(perms));
  const words = groups.map((group) => group.map(conditionWords).join(POLICY_TEXTS.and));
  return POLICY_TEXTS.othersWith(others, words.join(POLICY_TEXTS.or), permissionWords(perms));
}

// Nobody meets a condition without an issuer. Source: decision V24.
function deniesEverybody({ denials }: AccessPolicy): boolean {
  return denials.conditions.some(({ issuer }) => issuer === undefined);
}

function groupsToMeet({ require }: AccessPolicy): AccessPolicy["require"] {
  return require.filter((group) => group.every(({ issuer }) => issuer !== undefined));
}

function permissionWords(perms: number): string {
  const words = PERMISSION_WORDS.filter(([bit]) => (perms & bit) !== 0).map(([, word]) => word);
  if (words.length === 0) return POLICY_TEXTS.permissions.none;
  return words.length === 1
    ? (words[0] as string)
    : POLICY_TEXTS.list(words.slice(0, -1).join(", "), String(words.at(-1)));
}

function conditionWords({ path, op, value, issuer, ontology, maxAgeSeconds }: AccessCondition): string {
  const test = `${path} ${op} ${value}`;
  return maxAgeSeconds === undefined
    ? POLICY_TEXTS.reading({ ontology, issuer, test })
    : POLICY_TEXTS.recentReading({ ontology, issuer, test, maxAgeSeconds });
}

// The vault answers a simple list as a policy of this shape, and a list also admits platforms.
function mayBeSimpleList({ denials, grants, require, default_perms: others }: AccessPolicy): boolean {
  const hasDenials = denials.enames.length > 0 || denials.conditions.length > 0;
  if (hasDenials || grants.some(({ perms }) => perms !== ALL)) return false;
  return require.length === 0 ? others === 0 : require.every((group) => group.length === 0) && others === 1;
}
