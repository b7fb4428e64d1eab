import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";

const PERMISSIONS: readonly (readonly [bit: number, word: string])[] = [
  [1, "read"],
  [2, "create"],
  [4, "update"],
  [8, "delete"],
];

/**
 * Describes in sentences whom a policy admits: first denials, then named grants, then everybody else.
 *
 * Refuses: never; an invalid policy is described as none. Source: S1 "Access policy".
 */
export function policyWords(block: unknown): readonly string[] {
  const policy = read(block);
  if (policy === undefined) return ["This record has no valid policy: only its owner has access."];
  const { denials, grants, default_perms: others } = policy;
  return [
    ...denials.enames.map((ename) => `${ename} is denied access, whatever follows.`),
    ...denials.conditions.map((condition) => `Whoever has ${conditionWords(condition)} is denied access.`),
    ...grants.map(({ ename, perms }) => `${ename} may ${permissionWords(perms)}.`),
    othersWords(policy, others),
    "The owner may do everything.",
  ];
}

function othersWords({ require }: AccessPolicy, perms: number): string {
  if (perms === 0 || require.length === 0) return "Nobody else may do anything.";
  if (require.some((group) => group.length === 0)) return `Whoever is signed in may ${permissionWords(perms)}.`;
  const groups = require.map((group) => group.map(conditionWords).join(" and "));
  return `Whoever has ${groups.join(", or ")} may ${permissionWords(perms)}.`;
}

function permissionWords(perms: number): string {
  const words = PERMISSIONS.filter(([bit]) => (perms & bit) !== 0).map(([, word]) => word);
  if (words.length === 0) return "do nothing";
  return words.length === 1 ? (words[0] as string) : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function conditionWords({ path, op, value, issuer, ontology }: AccessCondition): string {
  return `${path} ${op} ${value} in ${ontology}${issuer === undefined ? "" : `, as ${issuer} says`}`;
}

function read(block: unknown): AccessPolicy | undefined {
  try {
    return parseAccessPolicy(block);
  } catch {
    return undefined;
  }
}
