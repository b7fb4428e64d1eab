import type { Asker, PolicyInput } from "./operation.ts";

/** Permission bits. Source: decision V11. */
export const BITS = { READ: 1, CREATE: 2, UPDATE: 4, DELETE: 8 } as const;

/** What decides over a record. */
export interface Policed {
  readonly acl: readonly string[];
  readonly policy: PolicyInput | null;
  readonly quarantined: boolean;
}

/** May the asker do this with the record? Written from the spec alone. Source: S1 "Access guard"; decisions I3, V11, V12. */
export function oracleAllows(owner: string, record: Policed, asker: Asker, need: keyof typeof BITS): boolean {
  if (asker.kind === "anonymous") return false;
  const isOwner = asker.kind === "person" && asker.ename === owner;
  if (record.quarantined && !isOwner) return false;
  if (record.policy !== null) return policyAllows(record.policy, asker, BITS[need]);
  if (isOwner) return true;
  if (asker.kind === "platform") return need === "READ" || asker.writes;
  if (record.acl.includes(asker.ename as string)) return true;
  return need === "READ" && record.acl.includes("*");
}

/** Denials first, then the most specific grant alone, then the ontology groups: of which the model has only the open one. */
function policyAllows(policy: PolicyInput, asker: Asker, bit: number): boolean {
  const denied = policy.denials?.enames ?? [];
  if ([asker.ename, asker.onBehalfOf].some((ename) => ename !== null && denied.includes(ename))) return false;
  const grant = policy.grants?.find(({ ename }) => ename === asker.ename);
  if (grant !== undefined) return (grant.perms & bit) !== 0;
  const open = (policy.require ?? []).length > 0;
  return open && ((policy.default_perms ?? 0) & bit) !== 0;
}

/** May the asker create in this vault? Source: decision V12. */
export function oracleMayCreate(owner: string, asker: Asker): boolean {
  return asker.kind === "person" ? asker.ename === owner : asker.kind === "platform" && asker.writes;
}

/**
 * The policy in force as answers show it, its grants by eName: the block with every member there, or what the legacy array
 * means. Source: S1 "Access guard" step 3; decision V11.
 */
export function decidedPolicy(owner: string, { acl, policy, quarantined }: Policed): Readonly<Record<string, unknown>> {
  const array = quarantined ? [owner] : acl;
  const people = [...new Set([owner, ...array.filter((entry) => entry !== "*")])];
  const isPublic = array.includes("*");
  const given = policy ?? {
    grants: people.map((ename) => ({ ename, perms: 15 })),
    default_perms: isPublic ? 1 : 0,
    require: isPublic ? [[]] : [],
  };
  return {
    v: 1,
    default_perms: given.default_perms ?? 0,
    grants: [...(given.grants ?? [])].sort((a, b) => (a.ename < b.ename ? -1 : 1)),
    denials: { enames: [...(given.denials?.enames ?? [])], conditions: [] },
    require: [...(given.require ?? [])],
  };
}
