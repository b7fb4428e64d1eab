import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { ownersPolicy, withOthers, withRights } from "../browser/vault/policy-draft.ts";

const OWNER = parseEName("@22222222-2222-4222-8222-222222222222");
const BOB = parseEName("@11111111-2222-4333-8444-555555555555");
const BASE = ownersPolicy(OWNER);

test("somebody has rights, none or a denial, never two of them [S1 Access policy]", () => {
  const granted = withRights(BASE, BOB, 5);
  assert.deepEqual(granted.grants.at(-1), { ename: BOB, perms: 5 });
  const denied = withRights(granted, BOB, "denied");
  assert.deepEqual([denied.grants.length, denied.denials.enames], [1, [BOB]]);
  assert.deepEqual(withRights(denied, BOB, 0), BASE);
});

test("everybody's rights go and come back without dropping a condition [S1 Access policy]", () => {
  const open = withOthers(BASE, 1);
  assert.deepEqual([open.default_perms, open.require], [1, [[]]]);
  assert.deepEqual(withOthers(open, 0), BASE);
  const condition = { ontology: BOB, path: "$.score", op: ">=", value: 10 } as const;
  const conditional = { ...BASE, default_perms: 1, require: [[condition]] };
  assert.deepEqual(withOthers(withOthers(conditional, 0), 1), conditional);
});
