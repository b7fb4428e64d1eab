import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { decideByPolicy } from "./decide-by-policy.ts";
import type { Permission } from "./permission.ts";
import type { PolicyAsker } from "./policy-asker.ts";
import { conditionKey } from "./policy-terms.ts";
import { PARTY } from "./test-policies.ts";

// Only the names are the table's; the groups are stated below.
const { O, A, B, P, G, G2, GX, S, E } = PARTY;
const Q = parseEName("@00000000-0000-4000-8000-0000000000c2");
const N = parseEName("@00000000-0000-4000-8000-0000000000c3");

const condition = (issuer: EName, value: number): AccessCondition => ({
  ontology: issuer,
  path: "$.score",
  op: ">=",
  value,
  issuer,
});
const [sec80, erep60, erep90] = [condition(S, 80), condition(E, 60), condition(E, 90)];

// The facts of each asker in the worked cases: G = {A, B}, G2 = {A}, GX cannot be reached; P has sec 84 and erep 72, Q
// has erep 95.
interface Asking {
  readonly asker: PolicyAsker;
  readonly memberOf?: readonly EName[];
  readonly deniedThrough?: readonly EName[];
  readonly passed?: readonly AccessCondition[];
}
const nobody: PolicyAsker = { authenticated: false, ename: null, platform: null, onBehalfOf: null };
const proven: PolicyAsker = { ...nobody, authenticated: true };
const owner: Asking = { asker: { ...proven, ename: O } };
const a: Asking = { asker: { ...proven, ename: A }, memberOf: [G, G2], deniedThrough: [G, G2] };
const b: Asking = { asker: { ...proven, ename: B }, memberOf: [G], deniedThrough: [G] };
const p: Asking = { asker: { ...proven, platform: P }, passed: [sec80, erep60] };
const q: Asking = { asker: { ...proven, platform: Q }, passed: [erep60, erep90] };
const newcomer: Asking = { asker: { ...proven, platform: N } };
const aThroughP: Asking = { ...a, asker: { ...a.asker, platform: P }, passed: [sec80, erep60] };
const aThroughQ: Asking = { ...a, asker: { ...a.asker, platform: Q }, passed: [erep60, erep90] };
const pNamingA: Asking = { ...p, asker: { ...p.asker, onBehalfOf: A }, deniedThrough: [G, G2] };
const legacyToken: Asking = { asker: proven };

const grants = (...pairs: readonly (readonly [EName, number])[]) => ({
  grants: pairs.map(([ename, perms]) => ({ ename, perms })),
});
const denying = (...enames: readonly EName[]) => ({ denials: { enames } });
const open = { ...grants([O, 15]), require: [[]], default_perms: 1 };
const scored = { require: [[sec80, erep60], [erep90]], default_perms: 1 };

// `grant 3` is a grant of rank 3, `group 0` the ontology group that decided.
type Case = readonly [citation: string, block: object, Asking, Permission, allow: boolean, why: string];
const CASES: readonly Case[] = [
  ["[V-CASE-001]", grants([O, 15]), owner, "DELETE", true, "grant 3"],
  ["case 002, what the policy decides", grants([A, 1]), owner, "READ", false, "no_matching_group"],
  ["[V-CASE-003]", { ...grants([O, 15]), ...denying(O) }, owner, "READ", false, "denied_by_ename"],
  ["[V-CASE-004]", grants([A, 1]), a, "READ", true, "grant 3"],
  ["[V-CASE-005]", grants([A, 1]), a, "UPDATE", false, "grant 3"],
  ["[V-CASE-006]", grants([A, 4]), a, "READ", false, "grant 3"],
  ["[V-CASE-007]", grants([G, 5], [A, 1]), a, "UPDATE", false, "grant 3"],
  ["[V-CASE-008]", grants([G, 5], [A, 1]), b, "UPDATE", true, "grant 1"],
  ["[V-CASE-009]", grants([G, 1], [G2, 4]), a, "UPDATE", true, "grant 1"],
  ["[V-CASE-010]", grants([A, 1], [P, 15]), aThroughP, "UPDATE", false, "grant 3"],
  ["[V-CASE-011]", grants([A, 1], [P, 15]), p, "UPDATE", true, "grant 2"],
  ["[V-CASE-012] [V-DEC-203]", grants([A, 15]), pNamingA, "READ", false, "no_matching_group"],
  ["[V-CASE-013]", { ...grants([P, 1]), ...denying(P) }, p, "READ", false, "denied_by_ename"],
  ["[V-CASE-014]", { ...grants([A, 15]), ...denying(Q) }, aThroughQ, "READ", false, "denied_by_ename"],
  ["[V-CASE-015] [V-DEC-202]", { ...grants([P, 15]), ...denying(A) }, pNamingA, "READ", false, "denied_by_ename"],
  ["[V-CASE-016]", { ...grants([A, 15]), ...denying(G) }, a, "READ", false, "denied_by_group"],
  ["[V-CASE-017]", { ...grants([A, 15]), ...denying(GX) }, a, "READ", false, "denied_by_group"],
  ["[V-CASE-018]", grants([GX, 15]), a, "READ", false, "no_matching_group"],
  ["[V-CASE-019]", open, b, "READ", true, "ontology 0"],
  ["[V-CASE-020]", open, b, "UPDATE", false, "ontology 0"],
  ["[V-CASE-021]", open, { asker: nobody }, "READ", false, "unauthenticated"],
  ["[V-CASE-022]", { ...grants([A, 1]), require: [[]], default_perms: 15 }, a, "UPDATE", false, "grant 3"],
  ["[V-CASE-023]", scored, p, "READ", true, "ontology 0"],
  ["[V-CASE-024]", scored, q, "READ", true, "ontology 1"],
  ["[V-CASE-025]", scored, newcomer, "READ", false, "no_matching_group"],
  [
    "[V-CASE-026]",
    { ...grants([N, 15]), denials: { conditions: [erep60] } },
    newcomer,
    "READ",
    false,
    "denied_by_condition",
  ],
  ["[V-CASE-027]", grants([O, 15]), legacyToken, "READ", false, "no_matching_group"],
  ["[V-CASE-028]", { ...grants([O, 15]), default_perms: 15 }, b, "READ", false, "no_matching_group"],
];

for (const [citation, block, asking, permission, allow, why] of CASES) {
  test(`decideByPolicy(): the worked case gets the stated decision for the stated reason: ${citation}`, () => {
    const decision = decide(parseAccessPolicy(block), asking, permission);
    const { reason } = decision;
    const detail = reason === "grant" ? ` ${decision.rank}` : reason === "ontology" ? ` ${decision.group}` : "";
    assert.deepEqual([decision.allow, `${reason}${detail}`], [allow, why]);
  });
}

test("a grant decides by the bits of its own rank alone, and the decision contains them [V-ACL-011] [V-ACL-044] [V-ACL-045] [V-GUARD-013]", () => {
  const policy = parseAccessPolicy({ ...grants([G2, 8], [G, 1], [A, 6]), default_perms: 15, require: [[]] });
  assert.deepEqual(decide(policy, a, "READ"), { allow: false, reason: "grant", rank: 3, perms: 6 });
  assert.deepEqual(decide(policy, a, "CREATE"), { allow: true, reason: "grant", rank: 3, perms: 6 });
  assert.deepEqual(decide(policy, a, "UPDATE"), { allow: true, reason: "grant", rank: 3, perms: 6 });
  assert.deepEqual(decide(policy, b, "READ"), { allow: true, reason: "grant", rank: 1, perms: 1 });
  const groups = parseAccessPolicy(grants([G2, 8], [G, 1]));
  assert.deepEqual(decide(groups, a, "DELETE"), { allow: true, reason: "grant", rank: 1, perms: 9 });
});

test("the first ontology group that passes is the one a decision rests on [V-ACL-048]", () => {
  const policy = parseAccessPolicy({ require: [[sec80], [erep60], [], [erep90]], default_perms: 2 });
  const expected = { reason: "ontology", group: 1, perms: 2 };
  assert.deepEqual(decide(policy, q, "CREATE"), { allow: true, ...expected });
  assert.deepEqual(decide(policy, q, "READ"), { allow: false, ...expected });
});

test("an assertion brings no grant of its own or of its groups, beside a proven person either [decision I5] [V-DEC-203]", () => {
  const policy = parseAccessPolicy(grants([A, 15], [G, 15]));
  assert.equal(decide(policy, pNamingA, "READ").allow, false);
  const ownerNamingA = { ...owner, asker: { ...owner.asker, onBehalfOf: A }, deniedThrough: [G, G2] };
  assert.equal(decide(policy, ownerNamingA, "READ").allow, false);
  assert.equal(decide(parseAccessPolicy({ ...grants([O, 15]), ...denying(G) }), ownerNamingA, "READ").allow, false);
});

test("a legacy platform token is an authenticated asker without a name [V-ACL-050] [decision I7]", () => {
  assert.deepEqual(decide(parseAccessPolicy(open), legacyToken, "READ"), {
    allow: true,
    reason: "ontology",
    group: 0,
    perms: 1,
  });
  assert.equal(decide(parseAccessPolicy(scored), legacyToken, "READ").allow, false);
});

test("an unauthenticated asker gets nothing, whatever other facts there are [V-ACL-050]", () => {
  const policy = parseAccessPolicy({ ...open, ...grants([A, 15], [G, 15]) });
  const forged = { ...aThroughP, asker: { ...aThroughP.asker, authenticated: false } };
  assert.deepEqual(decide(policy, forged, "READ"), { allow: false, reason: "unauthenticated" });
});

test("one who joins a named group is held to its bits, even where everybody else has more [V-ACL-046]", () => {
  const policy = parseAccessPolicy({ ...grants([G, 1]), default_perms: 15, require: [[]] });
  assert.equal(decide(policy, owner, "UPDATE").allow, true);
  assert.equal(decide(policy, a, "UPDATE").allow, false);
});

function decide(policy: AccessPolicy, { asker, memberOf, deniedThrough, passed }: Asking, permission: Permission) {
  const facts = {
    memberOf: new Set(memberOf),
    deniedThrough: new Set([GX, ...(deniedThrough ?? [])]),
    passed: new Set(passed?.map(conditionKey)),
  };
  return decideByPolicy({ policy, asker, permission, facts });
}
