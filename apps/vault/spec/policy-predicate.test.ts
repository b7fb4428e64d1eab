import assert from "node:assert/strict";
import { test } from "node:test";
import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { PERMISSIONS, type Permission } from "@dataspace/access/permission";
import { policyPredicate } from "@dataspace/access/policy-predicate";
import { conditionKey } from "@dataspace/access/policy-terms";
import { PARTY, TEST_ASKERS, type TestAsker, testPolicies } from "@dataspace/access/test-policies";
import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { openTestDatabase } from "@dataspace/service-kit/test-database";
import type { Queryable } from "@dataspace/service-kit/database";

const SERVER = process.env.DS_TEST_DATABASE_URL;
const ALL = Object.keys(PERMISSIONS) as Permission[];
const { A, G, E } = PARTY;

test("a statement admits exactly the policies that the pure decision admits, for every asker and permission [V-GUARD-012] [decision V13]", async () => {
  await using database = await openTestDatabase(SERVER);
  const policies = testPolicies();
  await store(
    database,
    policies.map((policy) => JSON.stringify(policy)),
  );
  let admitted = 0;
  for (const { says, asker, facts } of TEST_ASKERS) {
    for (const permission of ALL) {
      const decided = policies.map((policy) => decideByPolicy({ policy, asker, permission, facts }).allow);
      const expected = decided.flatMap((allow, index) => (allow ? [index + 1] : []));
      assert.deepEqual(await admittedIn(database, { asker, facts }, permission), expected, `${says} ${permission}`);
      admitted += expected.length;
    }
  }
  assert.ok(admitted > 5000, `only ${admitted}`);
});

test("conditions that hold odd numbers and texts are the same to a statement and to the decision [V-ACL-016] [decision V24]", async () => {
  const values = [0, -0, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, -60];
  const paths = ["$['a\"b']", "$['a\\\\b']", "$['{a,b}']", "$['ünï☺']", "$['NULL']", "$['\\u0000']", '$["it\'s"]'];
  const conditions: readonly AccessCondition[] = [
    ...values.map((value) => ({ ontology: E, path: "$.score", op: "==", value, issuer: E }) as const),
    ...paths.map((path) => ({ ontology: E, path, op: "<", value: 1, issuer: E, maxAgeSeconds: 60 }) as const),
  ];
  await using database = await openTestDatabase(SERVER);
  const policies = conditions.map((one) => parseAccessPolicy({ default_perms: 1, require: [[one]] }));
  await store(
    database,
    policies.map((policy) => JSON.stringify(policy)),
  );
  const { asker, facts } = askerA();
  for (const [index, condition] of conditions.entries()) {
    const passing = { asker, facts: { ...facts, passed: new Set([conditionKey(condition)]) } };
    const expected = conditions.flatMap((one, at) => (conditionKey(one) === conditionKey(condition) ? [at + 1] : []));
    assert.ok(expected.includes(index + 1));
    assert.deepEqual(await admittedIn(database, passing, "READ"), expected, conditionKey(condition));
  }
});

test("a row without a policy, and one whose block is none that this version writes, lets nobody in [decision V11]", async () => {
  const whole: AccessPolicy = parseAccessPolicy({
    grants: [{ ename: A, perms: 15 }],
    default_perms: 15,
    require: [[]],
  });
  const blocks = [
    JSON.stringify(whole),
    null,
    "null",
    "1",
    '"text"',
    "[]",
    "{}",
    '{"v":1}',
    JSON.stringify({ ...whole, v: 2 }),
    JSON.stringify({ ...whole, v: "1" }),
    JSON.stringify({ ...whole, v: 2, grants: "of another shape", default_perms: [] }),
    JSON.stringify({ ...whole, denials: undefined }),
  ];
  await using database = await openTestDatabase(SERVER);
  await store(database, blocks);
  for (const permission of ALL) {
    assert.deepEqual(await admittedIn(database, askerA(), permission), [1]);
  }
});

test("the text of a predicate is one for every asker, so that it can be prepared [decision V13]", () => {
  const texts = TEST_ASKERS.map(({ asker, facts }) => {
    let count = 0;
    return policyPredicate({ column: "block", permission: "READ", asker, facts }, () => `$${++count}`);
  });
  assert.equal(new Set(texts).size, 1);
});

function askerA(): Pick<TestAsker, "asker" | "facts"> {
  return {
    asker: { authenticated: true, ename: A, platform: null, onBehalfOf: null },
    facts: { memberOf: new Set([G]), deniedThrough: new Set(), passed: new Set() },
  };
}

async function store(database: Queryable, blocks: readonly (string | null)[]): Promise<void> {
  await database.query({ text: "create table record (id int, acl_block text)", values: [] });
  await database.query({
    text: "insert into record select place, block from unnest($1::text[]) with ordinality as stored (block, place)",
    values: [blocks],
  });
}

async function admittedIn(
  database: Queryable,
  { asker, facts }: Pick<TestAsker, "asker" | "facts">,
  permission: Permission,
): Promise<readonly number[]> {
  const values: unknown[] = [];
  const predicate = policyPredicate(
    { column: "record.acl_block", permission, asker, facts },
    (value) => `$${values.push(value)}`,
  );
  const text = `select id from record where ${predicate} order by id`;
  const { rows } = await database.query<{ readonly id: number }>({ text, values });
  return rows.map(({ id }) => id);
}
