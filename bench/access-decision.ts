import { randomUUID } from "node:crypto";
import { decideByLegacyAcl } from "@dataspace/access/decide-by-legacy-acl";
import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { PERMISSIONS, type Permission } from "@dataspace/access/permission";
import { conditionKey } from "@dataspace/access/policy-terms";
import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import type { PolicyAsker, PolicyFacts } from "@dataspace/access/policy-asker";
import { type Comparison, compare, type Variant } from "./support/compare.ts";
import { runInTurn } from "./support/cpu-loop.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const GRANTS = 51;
const DENIALS = 20;
const GROUPS = 10;
const BATCH = 1_000;

const PLAIN = `policy of ${GRANTS} grants and ${DENIALS} denials`;
const FULL = `the same, ${GROUPS} of the grants to groups, 3 conditions denying, 4 required`;
const LEGACY = `legacy array of ${GRANTS} eNames`;

const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/**
 * Decides repeatedly, by policies and by a legacy array, for askers who are granted, denied and not named; one thread.
 */
export async function benchAccessDecision(context: BenchContext): Promise<BenchReport> {
  const decisions = { [PLAIN]: plainDecision(), [FULL]: fullDecision(), [LEGACY]: legacyDecision() };
  const variants: Variant[] = Object.entries(decisions).map(([name, decide]) => ({
    name,
    servicePid: process.pid,
    run: async () => runInTurn(decide, { batch: BATCH, durationMs: context.sizes.windowMs }),
  }));
  const comparison = await compare(context, variants);
  return {
    outcomes: [PLAIN, FULL].map((name) => ({
      name: `access decisions per second of CPU, ${name}`,
      measured: perCpuSecond(comparison, name),
      bar: 200_000,
      atMost: false,
      unit: "/s",
    })),
    figures: comparison.figures,
    notes: [
      `A decision takes the policy as parsed and the facts as found; askers take turns. They are the last one granted, one granted through a group (in the second), one denied by name, and one not named. CPU of the whole process, collection of garbage included: ${[PLAIN, FULL, LEGACY].map((name) => `${(1e6 / perCpuSecond(comparison, name)).toFixed(2)} us for ${name}`).join("; ")}.`,
    ],
  };
}

function perCpuSecond({ figures }: Comparison, name: string): number {
  const found = figures.find((figure) => figure.name === name);
  return 1e6 / (found?.serviceCpuUs ?? Number.NaN);
}

type Decide = (turn: number) => boolean;

function plainDecision(): Decide {
  const { policy, granted, denied } = samplePolicy([], []);
  return decideFor(policy, [granted.at(-1) as EName, denied.at(-1) as EName, newEName()], NO_FACTS);
}

function fullDecision(): Decide {
  const conditions = Array.from({ length: 7 }, sampleCondition);
  const { policy, granted, denied } = samplePolicy(conditions.slice(0, 3), [
    conditions.slice(3, 5),
    conditions.slice(5, 7),
  ]);
  const facts: PolicyFacts = {
    memberOf: new Set(granted.slice(0, GROUPS / 2)),
    deniedThrough: new Set([newEName(), newEName()]),
    passed: new Set([...conditions.slice(0, 3), ...conditions.slice(5, 7)].map(conditionKey)),
  };
  const askers = [granted.at(-1) as EName, newEName(), denied.at(-1) as EName];
  const member = decideFor(policy, askers, facts);
  const outsider = decideFor(policy, askers, { ...facts, memberOf: new Set() });
  return (turn) => (turn % 2 === 0 ? member(turn >> 1) : outsider(turn >> 1));
}

function legacyDecision(): Decide {
  const owner = newEName();
  const acl = Array.from({ length: GRANTS }, newEName);
  const principals = [acl.at(-1) as EName, newEName(), owner].map((ename) => ({ kind: "person", ename }) as const);
  return (turn) =>
    decideByLegacyAcl(
      { owner, acl },
      principals[turn % principals.length] as (typeof principals)[number],
      PERMISSION_NAMES[turn % PERMISSION_NAMES.length] as Permission,
    );
}

const NO_FACTS: PolicyFacts = { memberOf: new Set(), deniedThrough: new Set(), passed: new Set() };

function decideFor(policy: AccessPolicy, enames: readonly EName[], facts: PolicyFacts): Decide {
  const askers: readonly PolicyAsker[] = enames.map((ename) => ({
    authenticated: true,
    ename,
    platform: null,
    onBehalfOf: null,
  }));
  return (turn) => {
    const asker = askers[turn % askers.length] as PolicyAsker;
    const permission = PERMISSION_NAMES[turn % PERMISSION_NAMES.length] as Permission;
    return decideByPolicy({ policy, asker, permission, facts }).allow;
  };
}

function samplePolicy(denying: readonly AccessCondition[], require: readonly (readonly AccessCondition[])[]) {
  const granted = Array.from({ length: GRANTS }, newEName);
  const denied = Array.from({ length: DENIALS }, newEName);
  const grants = granted.map((ename, index) => ({ ename, perms: 1 + (index % 15) }));
  const denials = { enames: denied, conditions: denying };
  return { granted, denied, policy: parseAccessPolicy({ grants, denials, default_perms: 1, require }) };
}

function sampleCondition(_: unknown, number: number): AccessCondition {
  return { ontology: newEName(), path: "$.score", op: ">=", value: number, issuer: newEName(), maxAgeSeconds: 86_400 };
}

function newEName(): EName {
  return parseEName(randomUUID());
}
