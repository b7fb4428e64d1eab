import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseAccessPolicy } from "./access-policy.ts";
import { ProtocolError } from "./protocol-error.ts";

const ALICE = "@11111111-2222-4333-8444-555555555555";
const BOB = "@33333333-3333-4333-8333-333333333333";
const CONDITION = { ontology: BOB, path: "$.score", op: ">=", value: 60 };

test("parseAccessPolicy() fills in what may be missing [decision V11] [V-ACL-012] [V-ACL-014]", () => {
  const nothing = { v: 1, grants: [], denials: { enames: [], conditions: [] }, default_perms: 0, require: [] };
  assert.deepEqual(parseAccessPolicy({}), nothing);
  assert.deepEqual(parseAccessPolicy({ v: 1, denials: {} }), nothing);
});

test("parseAccessPolicy() keeps every term and lower-cases eNames [decision V11] [V-ACL-001] [V-ACL-002] [V-ACL-003] [V-ACL-010]", () => {
  const whole = { ...CONDITION, issuer: ALICE, maxAgeSeconds: 60 };
  const policy = {
    v: 1,
    grants: [{ ename: ALICE, perms: 15 }],
    denials: { enames: [BOB], conditions: [whole] },
    default_perms: 1,
    require: [[], [CONDITION, whole]],
  };
  assert.deepEqual(parseAccessPolicy(policy), policy);
  const upper = { grants: [{ ename: "@AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE", perms: 1 }] };
  assert.equal(parseAccessPolicy(upper).grants[0]?.ename, "@aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee");
});

test("parseAccessPolicy() accepts its own output, nulls included [decision V11]", () => {
  const readBack = { require: [[{ ...CONDITION, issuer: null, maxAgeSeconds: null }]] };
  assert.deepEqual(parseAccessPolicy(readBack).require, [[CONDITION]]);
});

test("parseAccessPolicy() refuses the whole block for one bad entry, and says where it is [decision V11] [V-ACL-012] [V-ACL-013] [V-ACL-014] [V-ACL-017] [V-ACL-018] [V-ACL-019] [V-ACL-020] [V-ACL-021] [V-ACL-022]", () => {
  const cases: readonly (readonly [block: unknown, at: string | undefined])[] = [
    [null, undefined],
    [[], undefined],
    ["{}", undefined],
    [{ v: 2 }, "v"],
    [{ v: null }, "v"],
    [{ v: "1" }, "v"],
    [{ newer: true }, undefined],
    [JSON.parse('{"__proto__":{}}'), undefined],
    [{ grants: null }, "grants"],
    [{ grants: { 0: {} } }, "grants"],
    [{ grants: [{ ename: ALICE }] }, "grants[0].perms"],
    [{ grants: [{ perms: 1 }] }, "grants[0].ename"],
    [{ grants: [{ ename: ALICE, perms: 0 }] }, "grants[0].perms"],
    [{ grants: [{ ename: ALICE, perms: 16 }] }, "grants[0].perms"],
    [{ grants: [{ ename: ALICE, perms: 1.5 }] }, "grants[0].perms"],
    [{ grants: [{ ename: ALICE, perms: "1" }] }, "grants[0].perms"],
    [{ grants: [{ ename: ALICE, perms: 1, until: 5 }] }, "grants[0]"],
    [{ grants: [{ ename: "*", perms: 1 }] }, "grants[0].ename"],
    [{ grants: [{ ename: ALICE.slice(1), perms: 1 }] }, "grants[0].ename"],
    [{ grants: [{ ename: `${ALICE} `, perms: 1 }] }, "grants[0].ename"],
    [
      {
        grants: [
          { ename: ALICE, perms: 1 },
          { ename: ALICE.toUpperCase(), perms: 2 },
        ],
      },
      "grants[1].ename",
    ],
    [{ denials: null }, "denials"],
    [{ denials: { enames: ["*"] } }, "denials.enames[0]"],
    [{ denials: { enames: [BOB, 7] } }, "denials.enames[1]"],
    [{ denials: { ename: [] } }, "denials"],
    [{ denials: { conditions: [{ ...CONDITION, op: "!=" }] } }, "denials.conditions[0].op"],
    [{ default_perms: -1 }, "default_perms"],
    [{ default_perms: null }, "default_perms"],
    [{ require: [{}] }, "require[0]"],
    [{ require: [[null]] }, "require[0][0]"],
    [{ require: [[], [CONDITION, { ...CONDITION, value: "60" }]] }, "require[1][1].value"],
    [{ require: [[{ ...CONDITION, value: Number.NaN }]] }, "require[0][0].value"],
    [{ require: [[{ ...CONDITION, path: "$..score" }]] }, "require[0][0].path"],
    [{ require: [[{ ...CONDITION, path: ["$"] }]] }, "require[0][0].path"],
    [{ require: [[{ ...CONDITION, ontology: "User" }]] }, "require[0][0].ontology"],
    [{ require: [[{ ...CONDITION, issuer: "*" }]] }, "require[0][0].issuer"],
    [{ require: [[{ ...CONDITION, maxAgeSeconds: 0 }]] }, "require[0][0].maxAgeSeconds"],
    [{ require: [[{ ...CONDITION, maxAgeSeconds: 1.5 }]] }, "require[0][0].maxAgeSeconds"],
    [{ require: [[{ ...CONDITION, negate: true }]] }, "require[0][0]"],
  ];
  for (const [block, at] of cases) {
    assert.throws(() => parseAccessPolicy(block), { code: "INVALID_ACL", at }, JSON.stringify(block));
  }
});

test("parseAccessPolicy() takes 256 grants, 256 denials and 8 groups of 8 conditions, and no more [decision V11] [V-ACL-024]", () => {
  const enames = Array.from({ length: 257 }, (_, index) => `@${index.toString(16).padStart(8, "0")}${ALICE.slice(9)}`);
  const grants = enames.map((ename) => ({ ename, perms: 1 }));
  const group = Array.from({ length: 9 }, () => CONDITION);
  const groups = Array.from({ length: 9 }, () => group.slice(1));
  parseAccessPolicy({ grants: grants.slice(1), denials: { enames: enames.slice(1) }, require: groups.slice(1, 2) });
  parseAccessPolicy({ require: groups.slice(1) });
  const refused = [
    { grants },
    { denials: { enames } },
    { denials: { conditions: enames.map(() => CONDITION) } },
    { require: groups },
    { require: [group] },
  ];
  for (const block of refused) {
    assert.throws(() => parseAccessPolicy(block), { code: "INVALID_ACL" });
  }
});

test("parseAccessPolicy() refuses a policy over 32 KiB [decision V11] [V-ACL-024]", () => {
  const long = { ...CONDITION, path: `$.${"a".repeat(1000)}` };
  const group = Array.from({ length: 8 }, () => long);
  parseAccessPolicy({ require: [group, group, group] });
  assert.throws(() => parseAccessPolicy({ require: [group, group, group, group] }), { code: "INVALID_ACL" });
});

test("parseAccessPolicy() throws only ProtocolError, and parsing its output changes nothing [decision V11]", () => {
  const anything = fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withSparseArray: true,
    withDate: true,
    withMap: true,
  });
  const sometimes = <T>(right: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: right }, anything);
  const condition = fc.record(
    {
      ontology: sometimes(fc.constant(BOB)),
      path: sometimes(fc.constantFrom("$.a", "$[0]", "$['x']")),
      op: sometimes(fc.constantFrom(">=", "==")),
      value: sometimes(fc.double()),
      issuer: sometimes(fc.constantFrom(ALICE, null)),
    },
    { requiredKeys: ["ontology", "path", "op", "value"] },
  );
  const block = fc.record(
    {
      v: sometimes(fc.constant(1)),
      grants: sometimes(
        fc.array(
          fc.record({ ename: sometimes(fc.uuid().map((u) => `@${u}`)), perms: fc.integer({ min: 0, max: 16 }) }),
        ),
      ),
      denials: sometimes(
        fc.record(
          { enames: fc.array(sometimes(fc.constant(ALICE))), conditions: fc.array(condition) },
          { requiredKeys: [] },
        ),
      ),
      default_perms: sometimes(fc.integer({ min: 0, max: 15 })),
      require: sometimes(fc.array(fc.array(sometimes(condition), { maxLength: 3 }), { maxLength: 3 })),
    },
    { requiredKeys: [] },
  );
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(anything, block), (value) => {
      try {
        const policy = JSON.parse(JSON.stringify(parseAccessPolicy(value)));
        assert.deepEqual(JSON.parse(JSON.stringify(parseAccessPolicy(policy))), policy);
        accepted += 1;
      } catch (error) {
        assert.ok(error instanceof ProtocolError, String(error));
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(accepted > 100, `only ${accepted} of 3000 were accepted`);
});
