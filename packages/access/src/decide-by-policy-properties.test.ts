import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import fc from "fast-check";
import { decideByPolicy, type PolicyQuestion } from "./decide-by-policy.ts";
import type { Permission } from "./permission.ts";
import { conditionKey, policyTerms } from "./policy-terms.ts";
import { PARTY } from "./test-policies.ts";

const RUNS = { numRuns: 2000 };
const { A, B, P, G, G2, GX, Z, S, E } = PARTY;
const conditions: readonly AccessCondition[] = [
  { ontology: S, path: "$.score", op: ">=", value: 80, issuer: S },
  { ontology: E, path: "$.score", op: ">=", value: 60, issuer: E },
  { ontology: E, path: "$.score", op: ">=", value: 90, issuer: E, maxAgeSeconds: 60 },
];

const party = fc.constantFrom(A, B, P, G, G2, GX, Z);
const condition = fc.constantFrom(...conditions);
const grant = fc.record({ ename: party, perms: fc.integer({ min: 1, max: 15 }) });
const block = fc.record({
  grants: fc.uniqueArray(grant, { selector: ({ ename }) => ename, maxLength: 5 }),
  denials: fc.record({
    enames: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(party, { maxLength: 2 })),
    conditions: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(condition, { maxLength: 2 })),
  }),
  default_perms: fc.integer({ min: 0, max: 15 }),
  require: fc.array(fc.array(condition, { maxLength: 2 }), { maxLength: 3 }),
});
const question: fc.Arbitrary<PolicyQuestion> = fc.record({
  policy: block.map((value) => parseAccessPolicy(value)),
  asker: fc.record({
    authenticated: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    ename: fc.constantFrom(A, B, null),
    platform: fc.constantFrom(P, null),
    onBehalfOf: fc.constantFrom(null, null, B),
  }),
  permission: fc.constantFrom<Permission>("READ", "CREATE", "UPDATE", "DELETE"),
  facts: fc.record({
    memberOf: fc.subarray([G, G2]).map((groups) => new Set(groups)),
    deniedThrough: fc.subarray([G, G2, GX]).map((groups) => new Set(groups)),
    passed: fc.subarray(conditions.map(conditionKey)).map((keys) => new Set(keys)),
  }),
});

const isAllowed = (asked: PolicyQuestion): boolean => decideByPolicy(asked).allow;
const withPolicy = (asked: PolicyQuestion, change: Partial<AccessPolicy>): PolicyQuestion => ({
  ...asked,
  policy: { ...asked.policy, ...change },
});

test("the order of grants, denials, conditions and groups decides nothing [V-ACL-045] [V-GUARD-012]", () => {
  const order = fc.infiniteStream(fc.nat({ max: 97 }));
  fc.assert(
    fc.property(question, order, (asked, keys) => {
      const shuffled = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, key: Number(keys.next().value) }))
          .sort((x, y) => x.key - y.key)
          .map(({ item }) => item);
      const { grants, denials, require } = asked.policy;
      const reordered = withPolicy(asked, {
        grants: shuffled(grants),
        denials: { enames: shuffled(denials.enames), conditions: shuffled(denials.conditions) },
        require: shuffled(require.map(shuffled)),
      });
      const [before, after] = [decideByPolicy(asked), decideByPolicy(reordered)];
      // The index of the deciding group depends on the order; everything else stays the same.
      assert.deepEqual({ ...after, group: 0 }, { ...before, group: 0 });
    }),
    RUNS,
  );
});

test("one more denial, by eName or by condition, never turns deny into allow [V-ACL-040] [V-ACL-042]", () => {
  fc.assert(
    fc.property(question, party, condition, (asked, ename, unmet) => {
      const { enames, conditions: unless } = asked.policy.denials;
      for (const denials of [
        { enames: [...enames, ename], conditions: unless },
        { enames, conditions: [...unless, unmet] },
      ]) {
        assert.ok(isAllowed(asked) || !isAllowed(withPolicy(asked, { denials })));
      }
    }),
    RUNS,
  );
});

test("a grant less specific than the one that decides, or to somebody else, changes no part of a decision [V-ACL-043] [V-ACL-044] [V-GUARD-013] [V-GUARD-014]", () => {
  let outranked = 0;
  fc.assert(
    fc.property(question, grant, (asked, added) => {
      const { asker, facts, policy } = asked;
      fc.pre(policy.grants.every(({ ename }) => ename !== added.ename));
      const before = decideByPolicy(asked);
      const rank = before.reason === "grant" ? before.rank : 0;
      const groupRank = facts.memberOf.has(added.ename) ? 1 : 0;
      const addedRank = added.ename === asker.ename ? 3 : added.ename === asker.platform ? 2 : groupRank;
      fc.pre(addedRank === 0 || addedRank < rank);
      outranked += addedRank;
      assert.deepEqual(decideByPolicy(withPolicy(asked, { grants: [...policy.grants, added] })), before);
    }),
    RUNS,
  );
  assert.ok(outranked > 50, `only ${outranked}`);
});

// Conditions occur in two places, a denial's and a group's, and both only ask whether they pass.
test("fewer conditions met, or more groups that deny, never turn deny into allow [V-ACL-042] [V-ACL-047]", () => {
  fc.assert(
    fc.property(question, fc.subarray(conditions.map(conditionKey)), party, (asked, lost, group) => {
      const { passed, deniedThrough } = asked.facts;
      const fewer = new Set([...passed].filter((key) => !lost.includes(key)));
      assert.ok(isAllowed(asked) || !isAllowed({ ...asked, facts: { ...asked.facts, passed: fewer } }));
      const more = new Set([...deniedThrough, group]);
      assert.ok(isAllowed(asked) || !isAllowed({ ...asked, facts: { ...asked.facts, deniedThrough: more } }));
    }),
    RUNS,
  );
});

// Membership differs: see [V-ACL-046], where a group's grant can give its members less than everybody has.
test("leaving a group can only cost what its grant gave: without ontology groups it never turns deny into allow [V-ACL-041]", () => {
  fc.assert(
    fc.property(question, fc.constantFrom(G, G2), (asked, left) => {
      const closed = withPolicy(asked, { require: [] });
      const memberOf = new Set([...asked.facts.memberOf].filter((group) => group !== left));
      assert.ok(isAllowed(closed) || !isAllowed({ ...closed, facts: { ...closed.facts, memberOf } }));
    }),
    RUNS,
  );
});

test("an asserted eName never turns deny into allow [V-ACL-040] [V-DEC-203] [decision I5]", () => {
  fc.assert(
    fc.property(question, fc.option(party), (asked, onBehalfOf) => {
      const silent = { ...asked, asker: { ...asked.asker, onBehalfOf: null } };
      assert.ok(isAllowed(silent) || !isAllowed({ ...asked, asker: { ...asked.asker, onBehalfOf } }));
    }),
    RUNS,
  );
});

test("facts that policyTerms() leaves out never change a decision, whatever they are [decisions V23, V24]", () => {
  fc.assert(
    fc.property(question, (asked) => {
      const { enames, conditions: needed } = policyTerms(asked.policy, asked.asker);
      const keys = needed.map(conditionKey);
      const { memberOf, deniedThrough, passed } = asked.facts;
      const facts = {
        memberOf: new Set([...memberOf].filter((ename) => enames.includes(ename))),
        deniedThrough: new Set([...deniedThrough].filter((ename) => enames.includes(ename))),
        passed: new Set([...passed].filter((key) => keys.includes(key))),
      };
      assert.deepEqual(decideByPolicy({ ...asked, facts }).allow, isAllowed(asked));
    }),
    RUNS,
  );
});
