import { conditionPasses } from "./oracle-conditions.ts";
import { membership } from "./oracle-groups.ts";
import { allOf, anyOf, inEvery, not, type Verdict, verdictOf } from "./verdict.ts";
import {
  BITS,
  type Caller,
  isOwner,
  type Need,
  type Party,
  type Policy,
  type StoredRecord,
  type World,
} from "./world.ts";

/** A question to the oracle: may the caller do this with the record of that party? */
export interface Question {
  readonly party: Party;
  readonly record: StoredRecord;
  readonly caller: Caller;
}

/** Decides one permission on one record. Source: S1 "Access guard"; decisions I2, I3, I5, I7, V12, V14; decision V11. */
export function decide(world: World, { party, record, caller }: Question, need: Need): Verdict {
  if (caller.kind === "anonymous") return "no";
  if (caller.kind === "legacy" && need !== "READ" && !caller.writes) return "no";
  if (record.quarantined && !isOwner(party, caller)) return decideQuarantined(record, caller, need);
  if (record.policy !== null) return decidePolicy(world, record.policy, { caller, bit: BITS[need] });
  if (isOwner(party, caller) || caller.kind === "legacy") return "yes";
  if (record.acl.includes(caller.ename as string)) return "yes";
  // The spec says that both parties see a social connection until the owner has signed it, not what they see then.
  if (need === "READ" && record.binding?.parties.includes(caller.ename as string)) return "unclear";
  return verdictOf(need === "READ" && record.acl.includes("*"));
}

/** A quarantined record is the owner's alone, but for a social connection that the other party opened. Source: I3, V14. */
function decideQuarantined({ binding }: StoredRecord, caller: Caller, need: Need): Verdict {
  if (binding?.openedByOther !== true) return "no";
  if (caller.kind === "legacy") return caller.writes ? verdictOf(need === "READ" || need === "DELETE") : "unclear";
  return verdictOf(need === "READ" && binding.parties.includes(caller.ename as string));
}

interface Asked {
  readonly caller: Caller;
  readonly bit: number;
}

function decidePolicy(world: World, policy: Policy, asked: Asked): Verdict {
  return allOf([not(isDenied(world, policy, asked.caller)), decideGrants(world, policy, asked)]);
}

function isDenied(world: World, { denials }: Policy, { ename, behalf, platform }: Caller): Verdict {
  const identities = [ename, behalf].filter((name) => name !== null);
  const subject = ename;
  return anyOf([
    ...denials.enames.map((name) => verdictOf(identities.includes(name))),
    ...denials.enames.map((name) => membership(world, name, identities).denials),
    ...denials.conditions.map((condition) => not(conditionPasses(world, condition, subject))),
    // A legacy token's platform is asserted; the spec does not say whether an asserted name narrows.
    ...(platform === null ? [] : denials.enames.map((name) => assertedDenial(world, name, platform))),
  ]);
}

function assertedDenial(world: World, denied: string, platform: string): Verdict {
  if (denied === platform) return "unclear";
  return membership(world, denied, [platform]).denials === "no" ? "no" : "unclear";
}

function decideGrants(world: World, policy: Policy, { caller, bit }: Asked): Verdict {
  const { ename } = caller;
  const named = policy.grants.find((grant) => grant.ename === ename);
  if (ename === null) return decideOpen(world, policy, { caller, bit });
  if (named !== undefined) return verdictOf((named.perms & bit) !== 0);
  const groups = policy.grants.map((grant) => ({ grant, holds: membership(world, grant.ename, [ename]).grants }));
  const sure = groups.filter(({ holds }) => holds === "yes");
  const perhaps = groups.filter(({ holds }) => holds === "unclear");
  const gives = ({ grant }: (typeof groups)[number]) => verdictOf((grant.perms & bit) !== 0);
  const without = sure.length > 0 ? anyOf(sure.map(gives)) : decideOpen(world, policy, { caller, bit });
  if (perhaps.length === 0) return without;
  return inEvery([without, ...perhaps.map((one) => anyOf([...sure.map(gives), gives(one)]))]);
}

function decideOpen(world: World, { require, default_perms }: Policy, { caller, bit }: Asked): Verdict {
  const passes = require.map((conditions) =>
    allOf(conditions.map((condition) => conditionPasses(world, condition, caller.ename))),
  );
  return allOf([anyOf(passes), verdictOf((default_perms & bit) !== 0)]);
}

/** May the caller create records here? Source: decision V12. */
export function mayCreate(party: Party, caller: Caller): boolean {
  return isOwner(party, caller) || (caller.kind === "legacy" && caller.writes);
}
