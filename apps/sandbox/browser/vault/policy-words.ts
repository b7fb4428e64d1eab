import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";

/** The permissions by bit, in words. */
export const PERMISSION_WORDS: readonly (readonly [bit: number, word: string])[] = [
  [1, "read"],
  [2, "create"],
  [4, "update"],
  [8, "delete"],
];
const ALL = 15;
const READ_AND_UPDATE = 5;

/** What a policy gives its owner for sure: the permissions in bits, and whether a condition or a group can take them away. */
export interface OwnerRights {
  readonly perms: number;
  readonly isCertain: boolean;
}

/**
 * Describes in sentences whom a policy admits: denials, named grants, everybody else, the owner.
 *
 * The sentences follow the decision order and never claim more access, or more protection, than the policy has: the
 * owner is an asker like any other, and a grant to a group admits its members.
 * Refuses: never; an invalid policy is described as unknown. Source: S1 "Access policy"; decisions V11, V12.
 */
export function policyWords(block: unknown, owner: EName): readonly string[] {
  const policy = readPolicy(block);
  if (policy === undefined) return ["This page cannot read the record's policy, so it cannot say who has access."];
  const { denials, grants, default_perms: others } = policy;
  const isDenied = (ename: EName): boolean => denials.enames.includes(ename);
  return [
    ...denials.enames.map((ename) => `${ename} is denied access, whatever follows.`),
    ...denials.conditions.map(
      (one) => `Whoever does not have ${conditionWords(one)} is denied access, whatever follows.`,
    ),
    ...grants
      .filter(({ ename }) => ename !== owner && !isDenied(ename))
      .map(({ ename, perms }) => `${ename}, or its members if it is a group, may ${permissionWords(perms)}.`),
    othersWords(policy, others),
    ownerWords(ownerRights(policy, owner)),
    ...(mayBeSimpleList(policy)
      ? [
          "If this is a simple access list, certified platforms that your platform policy admits may use the record too.",
        ]
      : []),
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
  const { denials, grants, require, default_perms: others } = policy;
  if (denials.enames.includes(owner)) return { perms: 0, isCertain: true };
  // A condition, or a denied eName that is a group, may also deny the owner.
  const isCertain = denials.conditions.length === 0 && denials.enames.length === 0;
  const own = grants.find(({ ename }) => ename === owner);
  if (own !== undefined) return { perms: own.perms, isCertain };
  const isOpen = require.some((group) => group.length === 0);
  if (isOpen) return { perms: others, isCertain: isCertain && grants.length === 0 };
  return { perms: 0, isCertain: isCertain && grants.length === 0 && require.length === 0 };
}

/** Says what the owner would lose by a policy; undefined where reading and updating stay certain. Refuses: never. */
export function lockoutWarning(policy: AccessPolicy, owner: EName): string | undefined {
  const { perms, isCertain } = ownerRights(policy, owner);
  const has = (perms & READ_AND_UPDATE) === READ_AND_UPDATE;
  if (has && isCertain) return undefined;
  const can = "You can still replace this policy later, as the owner of the vault.";
  return has
    ? `A denied group or a condition may lock you out of this record. ${can}`
    : `You lock yourself out: with this policy you may ${permissionWords(perms)} here. ${can}`;
}

function ownerWords({ perms, isCertain }: OwnerRights): string {
  const unless = isCertain ? "" : ", unless a condition or a group decides otherwise";
  const may = perms === ALL ? "read, create, update and delete" : permissionWords(perms);
  return `You, the owner, may ${may}${unless}, and may always replace this policy.`;
}

function othersWords({ require, grants }: AccessPolicy, perms: number): string {
  const others = grants.length > 0 ? "anybody else who is signed in" : "anybody who is signed in";
  if (perms === 0 || require.length === 0) return "No other person may do anything.";
  if (require.some((group) => group.length === 0)) return `${capital(others)} may ${permissionWords(perms)}.`;
  const groups = require.map((group) => group.map(conditionWords).join(" and "));
  return `${capital(others)} and has ${groups.join(", or ")} may ${permissionWords(perms)}.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function permissionWords(perms: number): string {
  const words = PERMISSION_WORDS.filter(([bit]) => (perms & bit) !== 0).map(([, word]) => word);
  if (words.length === 0) return "do nothing";
  return words.length === 1 ? (words[0] as string) : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function conditionWords({ path, op, value, issuer, ontology, maxAgeSeconds }: AccessCondition): string {
  const by = issuer === undefined ? "" : `, as ${issuer} says`;
  const age = maxAgeSeconds === undefined ? "" : `, at most ${maxAgeSeconds} seconds old`;
  return `${path} ${op} ${value} in ${ontology}${by}${age}`;
}

// The vault answers a simple list as a policy of this shape, and a list also admits platforms.
function mayBeSimpleList({ denials, grants, require, default_perms: others }: AccessPolicy): boolean {
  const hasDenials = denials.enames.length > 0 || denials.conditions.length > 0;
  if (hasDenials || grants.some(({ perms }) => perms !== ALL)) return false;
  return require.length === 0 ? others === 0 : require.every((group) => group.length === 0) && others === 1;
}
