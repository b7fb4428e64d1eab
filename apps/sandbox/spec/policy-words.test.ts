import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { draftWords, lockoutWarning, ownerRights, policyWords, readPolicy } from "../browser/vault/policy-words.ts";

const BOB = "@11111111-2222-4333-8444-555555555555";
const EVE = "@33333333-3333-4333-8333-333333333333";
const KARMA = "@44444444-4444-4444-8444-444444444444";

const OWNER = parseEName("@22222222-2222-4222-8222-222222222222");
const ME = "You, the owner, may";
const REPLACE = ", and may always replace this policy.";

test("a policy is described in sentences: denials, grants, everybody else, the owner [S1 Access policy]", () => {
  const policy = {
    v: 1,
    grants: [
      { ename: BOB, perms: 5 },
      { ename: OWNER, perms: 15 },
    ],
    denials: { enames: [EVE], conditions: [{ ontology: KARMA, path: "$.age", op: ">=", value: 18, issuer: BOB }] },
    default_perms: 1,
    require: [[{ ontology: KARMA, path: "$.score", op: ">=", value: 10, issuer: EVE, maxAgeSeconds: 60 }]],
  };
  assert.deepEqual(policyWords(policy, OWNER), [
    `${EVE}, and its members if it is a group, are denied access, whatever follows.`,
    `Anybody without a reading of ${KARMA} by ${BOB} with $.age >= 18 is denied access, whatever follows.`,
    `${BOB}, or its members if it is a group, may read and update.`,
    `Anybody else who is signed in and has a reading of ${KARMA} by ${EVE}, at most 60 seconds old with $.score >= 10 may read.`,
    `${ME} read, create, update and delete, unless a condition or a group decides otherwise${REPLACE}`,
  ]);
  assert.match(policyWords({ grants: "everybody" }, OWNER)[0] as string, /cannot say who has access/);
});

test("the words never claim that the owner may do what the policy denies, nor protection that it lacks [V-DEC-761]", () => {
  const nothing = { v: 1, grants: [], denials: { enames: [], conditions: [] }, default_perms: 0, require: [] };
  assert.deepEqual(policyWords(nothing, OWNER).slice(0, 2), [
    "No other person may do anything.",
    `${ME} do nothing${REPLACE}`,
  ]);
  const open = { ...nothing, require: [[]], default_perms: 15 };
  assert.deepEqual(policyWords(open, OWNER), [
    "Anybody who is signed in may read, create, update and delete.",
    `${ME} read, create, update and delete${REPLACE}`,
  ]);
  const denied = { ...open, denials: { enames: [OWNER], conditions: [] } };
  assert.ok(policyWords(denied, OWNER).includes(`${ME} do nothing${REPLACE}`));
  // A grant to somebody who is also denied admits nobody.
  const both = { ...nothing, grants: [{ ename: EVE, perms: 1 }], denials: { enames: [EVE], conditions: [] } };
  assert.equal(
    policyWords(both, OWNER).some((words) => words.startsWith(`${EVE}, or`)),
    false,
  );
});

test("a stored policy that may be a simple list admits platforms, and one that is about to be saved does not [A2]", () => {
  const list = readPolicy({ grants: [{ ename: OWNER, perms: 15 }] });
  assert.ok(list);
  assert.match(policyWords(list, OWNER).at(-1) as string, /^If this is a simple access list, platforms may use/);
  assert.doesNotMatch(draftWords(list, OWNER).join(" "), /simple access list/);
  assert.match(draftWords(list, OWNER).at(-1) as string, /^A platform may do only what these sentences allow/);
});

test("nobody meets a condition without an issuer, and the words say so [V24]", () => {
  const condition = { ontology: KARMA, path: "$.score", op: ">=", value: 10 };
  const grants = [{ ename: OWNER, perms: 15 }];
  const denied = readPolicy({ grants, denials: { conditions: [condition] }, default_perms: 1, require: [[]] });
  const required = readPolicy({ grants, default_perms: 1, require: [[condition]] });
  assert.ok(denied && required);
  assert.deepEqual(policyWords(denied, OWNER), [
    "Nobody may do anything: a denial has a condition without an issuer, and nobody meets such a condition.",
    `${ME} do nothing${REPLACE}`,
  ]);
  assert.match(lockoutWarning(denied, OWNER) ?? "", /you may do nothing here/);
  assert.ok(policyWords(required, OWNER).includes("No other person may do anything."));
  assert.equal(lockoutWarning(required, OWNER), undefined);
});

test("the owner is warned of every policy that may take reading or updating away [V-DEC-761]", () => {
  const base = {
    v: 1,
    grants: [{ ename: OWNER, perms: 15 }],
    denials: { enames: [], conditions: [] },
    default_perms: 0,
    require: [],
  };
  const cases: readonly [object, RegExp | undefined][] = [
    [base, undefined],
    [{ ...base, grants: [{ ename: OWNER, perms: 5 }] }, undefined],
    [{ ...base, grants: [{ ename: OWNER, perms: 1 }] }, /lock yourself out: with this policy you may read here/],
    [{ ...base, grants: [] }, /you may do nothing here/],
    [{ ...base, grants: [], default_perms: 5, require: [[]] }, undefined],
    [{ ...base, grants: [{ ename: BOB, perms: 1 }], default_perms: 5, require: [[]] }, /may lock you out/],
    [{ ...base, denials: { enames: [OWNER], conditions: [] } }, /you may do nothing here/],
    [{ ...base, denials: { enames: [EVE], conditions: [] } }, /may lock you out/],
  ];
  for (const [block, said] of cases) {
    const policy = readPolicy(block);
    assert.ok(policy);
    const warning = lockoutWarning(policy, OWNER);
    if (said === undefined) assert.equal(warning, undefined, JSON.stringify(block));
    else assert.match(warning ?? "", said, JSON.stringify(block));
  }
  assert.deepEqual(ownerRights(readPolicy(base) as never, OWNER), { perms: 15, isCertain: true });
});
