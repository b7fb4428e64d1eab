import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import { decideByLegacyAcl } from "./decide-by-legacy-acl.ts";
import { decideByPolicy } from "./decide-by-policy.ts";
import { legacyAclAsPolicy } from "./legacy-acl-as-policy.ts";
import type { Permission } from "./permission.ts";
import { PARTY } from "./test-policies.ts";

const { O, A, B, Z } = PARTY;
const ARRAYS: readonly (readonly string[])[] = [[], ["*"], [A], [A, B], ["*", A], [O], [A, A, O, "*", "*"]];

test("legacyAclAsPolicy() writes an array as a policy with every member [decisions V11, V12]", () => {
  const closed = { v: 1, denials: { enames: [], conditions: [] }, default_perms: 0, require: [] };
  const open = { ...closed, default_perms: 1, require: [[]] };
  const all = (...enames: readonly EName[]) => ({ grants: enames.map((ename) => ({ ename, perms: 15 })) });
  const expected = [
    { ...closed, ...all(O) },
    { ...open, ...all(O) },
    { ...closed, ...all(O, A) },
    { ...closed, ...all(O, A, B) },
    { ...open, ...all(O, A) },
    { ...closed, ...all(O) },
    { ...open, ...all(O, A) },
  ];
  const shown = ARRAYS.map((acl) => legacyAclAsPolicy({ owner: O, acl }));
  assert.deepEqual(shown, expected);
  assert.deepEqual(shown.map(parseAccessPolicy), shown);
});

test("the policy decides for persons and anonymous callers as the array does [decision V12]", () => {
  const facts = { memberOf: new Set<EName>(), deniedThrough: new Set<EName>(), passed: new Set<string>() };
  for (const acl of ARRAYS) {
    for (const ename of [O, A, B, Z, null]) {
      for (const permission of ["READ", "CREATE", "UPDATE", "DELETE"] satisfies Permission[]) {
        const policy = legacyAclAsPolicy({ owner: O, acl });
        const asker = { authenticated: ename !== null, ename, platform: null, onBehalfOf: null };
        const principal = ename === null ? ({ kind: "anonymous" } as const) : ({ kind: "person", ename } as const);
        assert.equal(
          decideByPolicy({ policy, asker, permission, facts }).allow,
          decideByLegacyAcl({ owner: O, acl }, principal, permission),
          `${ename} ${permission} under [${acl}]`,
        );
      }
    }
  }
});
