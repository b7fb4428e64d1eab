import assert from "node:assert/strict";
import { test } from "node:test";
import { policyWords } from "../browser/policy-words.ts";

const BOB = "@11111111-2222-4333-8444-555555555555";
const EVE = "@33333333-3333-4333-8333-333333333333";
const KARMA = "@44444444-4444-4444-8444-444444444444";

test("a policy is described in sentences: denials, grants, everybody else, the owner [S1 Access policy]", () => {
  const policy = {
    v: 1,
    grants: [{ ename: BOB, perms: 5 }],
    denials: { enames: [EVE], conditions: [] },
    default_perms: 1,
    require: [[{ ontology: KARMA, path: "$.score", op: ">=", value: 10 }]],
  };
  assert.deepEqual(policyWords(policy), [
    `${EVE} is denied access, whatever follows.`,
    `${BOB} may read and update.`,
    `Whoever has $.score >= 10 in ${KARMA} may read.`,
    "The owner may do everything.",
  ]);
  assert.equal(
    policyWords({ ...policy, require: [[]], default_perms: 15 })[2],
    "Whoever is signed in may read, create, update and delete.",
  );
  assert.equal(policyWords({ ...policy, require: [] })[2], "Nobody else may do anything.");
  assert.match(policyWords({ grants: "everybody" })[0] as string, /no valid policy/);
});
