import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, refusalOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const POLICY = `_acl { v grants { ename perms }
  denials { enames conditions { ontology path op value issuer maxAgeSeconds } }
  default_perms require { ontology path op value issuer maxAgeSeconds } }`;
const CREATE = `mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) {
  metaEnvelope { id ontology parsed ${POLICY} } errors { field message code } } }`;
const UPDATE = `mutation ($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) {
  metaEnvelope { id ontology parsed ${POLICY} } errors { field message code } } }`;
const READ = `query ($id: ID!) { metaEnvelope(id: $id) { id parsed ${POLICY} } }`;
const CONDITION = { ontology: `@${randomUUID()}`, path: "$.score", op: ">=", value: 60 };

let vault: TestVault;
let owner: Person;
let friend: Person;
let stranger: Person;

before(async () => {
  vault = await startVault({ auth: "enforced" });
  [owner, friend, stranger] = await Promise.all([createPerson(vault), createPerson(vault), createPerson(vault)]);
});
after(() => vault[Symbol.asyncDispose]());

const as = async (person: Person, document: string, variables: object, more = {}) =>
  askGraphQL(vault, owner.ename, document, variables, await person.at(owner.ename, more));
const grant = ({ ename }: Person, perms: number) => ({ ename, perms });

async function createUnder(acl: unknown, input: object = {}): Promise<string> {
  const answer = await as(owner, CREATE, { input: { ontology: "note", payload: { a: 1 }, _acl: acl, ...input } });
  assert.deepEqual(answer.body.data?.createMetaEnvelope.errors, [], JSON.stringify(answer.body));
  return answer.body.data.createMetaEnvelope.metaEnvelope.id;
}

const reads = async (person: Person, id: string, more = {}) =>
  (await as(person, READ, { id }, more)).body.data.metaEnvelope !== null;
const updateCode = async (person: Person, id: string, input: object = {}) => {
  const { body } = await as(person, UPDATE, { id, input: { ontology: "note", payload: { b: 2 }, ...input } });
  return body.data.updateMetaEnvelope.errors[0]?.code;
};

test("a policy comes back whole with every member, whatever was left out, and its eNames in lower case [V-ACL-001] [V-ACL-002] [V-ACL-003] [V-ACL-010] [V-ACL-015] [V-ACL-023] [V-ACL-026] [V-ME-006] [V-ME-008]", async () => {
  const upper = `@${owner.ename.slice(1).toUpperCase()}`;
  const given = { grants: [{ ename: upper, perms: 15 }], denials: { conditions: [] }, require: [[CONDITION]] };
  const answer = await as(owner, CREATE, { input: { ontology: "note", payload: {}, _acl: given } });
  assert.deepEqual(answer.body.data.createMetaEnvelope.metaEnvelope._acl, {
    v: 1,
    grants: [grant(owner, 15)],
    denials: { enames: [], conditions: [] },
    default_perms: 0,
    require: [[{ ...CONDITION, issuer: null, maxAgeSeconds: null }]],
  });
});

test("a policy with one fault is refused whole, with the position, and nothing is written [V-ACL-012] [V-ACL-013] [V-ACL-014] [V-ACL-018] [V-ACL-019] [V-ACL-020] [V-ACL-021] [V-ACL-022] [V-ACL-024] [V-ACL-025]", async () => {
  const a = friend.ename;
  const faults: readonly (readonly [unknown, string])[] = [
    ["*", "_acl"],
    [["*"], "_acl"],
    [[], "_acl"],
    [1, "_acl"],
    [true, "_acl"],
    [{ v: 2 }, "_acl.v"],
    [{ v: "1" }, "_acl.v"],
    [{ v: null }, "_acl.v"],
    [{ owner: a }, "_acl"],
    [{ grants: a }, "_acl.grants"],
    [{ grants: { 0: { ename: a, perms: 1 } } }, "_acl.grants"],
    [{ grants: [{ ename: a, perms: 0 }] }, "_acl.grants[0].perms"],
    [{ grants: [{ ename: a, perms: 16 }] }, "_acl.grants[0].perms"],
    [{ grants: [{ ename: a, perms: 1.5 }] }, "_acl.grants[0].perms"],
    [{ grants: [{ ename: a, perms: "1" }] }, "_acl.grants[0].perms"],
    [{ grants: [{ ename: a }] }, "_acl.grants[0].perms"],
    [{ grants: [{ ename: a, perms: 1, until: 1 }] }, "_acl.grants[0]"],
    [{ grants: [{ ename: "*", perms: 1 }] }, "_acl.grants[0].ename"],
    [{ grants: [{ ename: a.slice(1), perms: 1 }] }, "_acl.grants[0].ename"],
    [
      {
        grants: [
          { ename: a, perms: 1 },
          { ename: a.toUpperCase(), perms: 2 },
        ],
      },
      "_acl.grants[1].ename",
    ],
    [{ grants: Array.from({ length: 257 }, () => ({ ename: `@${randomUUID()}`, perms: 1 })) }, "_acl.grants"],
    [{ denials: [] }, "_acl.denials"],
    [{ denials: { enames: ["*"] } }, "_acl.denials.enames[0]"],
    [{ denials: { enames: [a, 3] } }, "_acl.denials.enames[1]"],
    [{ denials: { names: [a] } }, "_acl.denials"],
    [{ denials: { conditions: [{ ...CONDITION, op: "!=" }] } }, "_acl.denials.conditions[0].op"],
    [{ default_perms: 16 }, "_acl.default_perms"],
    [{ default_perms: -1 }, "_acl.default_perms"],
    [{ require: {} }, "_acl.require"],
    [{ require: [CONDITION] }, "_acl.require[0]"],
    [{ require: Array.from({ length: 9 }, () => []) }, "_acl.require"],
    [{ require: [[], Array.from({ length: 9 }, () => CONDITION)] }, "_acl.require[1]"],
    [{ require: [[{ ...CONDITION, path: "$..score" }]] }, "_acl.require[0][0].path"],
    [{ require: [[{ ...CONDITION, path: "$.scores[*]" }]] }, "_acl.require[0][0].path"],
    [{ require: [[{ ...CONDITION, ontology: "*" }]] }, "_acl.require[0][0].ontology"],
    [{ require: [[{ ...CONDITION, value: "60" }]] }, "_acl.require[0][0].value"],
    [{ require: [[{ ...CONDITION, issuer: "somebody" }]] }, "_acl.require[0][0].issuer"],
    [{ require: [[{ ...CONDITION, maxAgeSeconds: 0 }]] }, "_acl.require[0][0].maxAgeSeconds"],
  ];
  const id = await createUnder({ grants: [grant(owner, 15)] });
  for (const [acl, position] of faults) {
    const creation = refusalOf(await as(owner, CREATE, { input: { ontology: "faulty", payload: {}, _acl: acl } }));
    assert.deepEqual([creation.code, creation.field], ["INVALID_ACL", position], JSON.stringify(acl));
    const input = { ontology: "note", payload: { faulty: true }, _acl: acl };
    const update = refusalOf(await as(owner, UPDATE, { id, input }));
    assert.deepEqual([update.code, update.field], ["INVALID_ACL", position], JSON.stringify(acl));
  }
  const { body } = await as(owner, DOCUMENTS.list, { filter: { ontologyId: "faulty" } });
  assert.equal(body.data.metaEnvelopes.totalCount, 0);
  assert.deepEqual((await as(owner, READ, { id })).body.data.metaEnvelope.parsed, { a: 1 });
});

test("a policy written in the document itself is the same as one in a variable [V-ACL-025]", async () => {
  const literal = `{ grants: [{ ename: "${owner.ename}", perms: 15 }], require: [[]], default_perms: 1 }`;
  const document = `mutation { createMetaEnvelope(input: { ontology: "note", payload: {}, _acl: ${literal} }) {
    metaEnvelope { id } errors { code } } }`;
  const { body } = await as(owner, document, {});
  assert.ok(await reads(stranger, body.data.createMetaEnvelope.metaEnvelope.id));
});

test("a record with a policy is decided by it alone, for the owner and for a platform token too, and its array is ignored [V-AUTH-012] [V-AUTH-013] [V-ARR-008] [V-DEC-243] [V-ME-007] [V-GUARD-007] [V-AUTH-008] [V-CASE-002] [V-CASE-004] [V-CASE-005] [V-CASE-006] [V-CASE-027] [V-ACL-051]", async () => {
  const id = await createUnder({ grants: [grant(friend, 1)] }, { acl: ["*", stranger.ename] });
  assert.deepEqual([await reads(friend, id), await reads(owner, id), await reads(stranger, id)], [true, false, false]);
  assert.deepEqual([await updateCode(friend, id), await updateCode(owner, id)], ["FORBIDDEN", "NOT_FOUND"]);
  const answer = await askGraphQL(vault, owner.ename, READ, { id }, platformHeaders(vault));
  assert.equal(answer.body.data.metaEnvelope, null);
  const writable = await createUnder({ grants: [grant(friend, 4), grant(owner, 1)] });
  assert.equal(await reads(friend, writable), false);
  const { body } = await as(friend, UPDATE, { id: writable, input: { ontology: "note", payload: { b: 2 } } });
  assert.deepEqual(body.data.updateMetaEnvelope, { metaEnvelope: null, errors: [] }, "a writer who may not read");
  assert.deepEqual((await as(owner, READ, { id: writable })).body.data.metaEnvelope.parsed, { a: 1, b: 2 });
});

test("denials come first and bind the owner and whoever X-ON-BEHALF-OF names; that header never grants [V-ACL-040] [V-CASE-003] [V-CASE-012] [V-CASE-015] [V-GUARD-012]", async () => {
  const denied = await createUnder({ grants: [grant(owner, 15)], denials: { enames: [owner.ename] } });
  assert.equal(await reads(owner, denied), false);
  const narrowed = await createUnder({ grants: [grant(owner, 15)], denials: { enames: [friend.ename] } });
  assert.equal(await reads(owner, narrowed), true);
  assert.equal(await reads(owner, narrowed, { "x-on-behalf-of": friend.ename }), false);
  const granted = await createUnder({ grants: [grant(friend, 15)] });
  assert.equal(await reads(stranger, granted, { "x-on-behalf-of": friend.ename }), false);
  const open = await createUnder({ require: [[]], default_perms: 1, denials: { enames: [friend.ename] } });
  const platform = (more: object) =>
    askGraphQL(vault, owner.ename, READ, { id: open }, { ...platformHeaders(vault), ...more });
  assert.notEqual((await platform({})).body.data.metaEnvelope, null);
  assert.equal((await platform({ "x-on-behalf-of": friend.ename })).body.data.metaEnvelope, null);
});

test("an open policy lets every authenticated caller do what default_perms says, and nobody without a credential [V-CASE-019] [V-CASE-020] [V-CASE-021] [V-CASE-022] [V-CASE-028] [V-ACL-046] [V-ACL-047] [V-ACL-048] [V-ACL-049] [V-ACL-050]", async () => {
  const open = await createUnder({ grants: [grant(owner, 15), grant(friend, 1)], require: [[]], default_perms: 5 });
  assert.deepEqual([await reads(stranger, open), await updateCode(stranger, open)], [true, undefined]);
  assert.equal(await updateCode(friend, open), "FORBIDDEN", "who is named never reaches the groups");
  const anonymous = await askGraphQL(vault, owner.ename, READ, { id: open });
  assert.equal(anonymous.body.errors[0].extensions.code, "UNAUTHENTICATED");
  const closed = await createUnder({ grants: [grant(owner, 15)], require: [], default_perms: 15 });
  assert.equal(await reads(stranger, closed), false);
});

test("only the owner changes a policy: a different one from anybody else is ACL_CHANGE_FORBIDDEN, the same one changes nothing [V-DEC-760]", async () => {
  const policy = { v: 1, grants: [grant(owner, 15), grant(friend, 5)] };
  const id = await createUnder(policy);
  assert.equal(await updateCode(friend, id, { _acl: { grants: [grant(friend, 15)] } }), "ACL_CHANGE_FORBIDDEN");
  assert.equal(await updateCode(friend, id, { _acl: null, acl: ["*"] }), "ACL_CHANGE_FORBIDDEN");
  assert.equal(await updateCode(friend, id, { _acl: policy, acl: ["*"] }), undefined);
  const read = (await as(owner, READ, { id })).body.data.metaEnvelope;
  assert.deepEqual([read._acl.grants, read.parsed], [policy.grants, { a: 1, b: 2 }]);
  const listed = (await as(owner, CREATE, { input: { ontology: "note", payload: {}, acl: [friend.ename] } })).body.data
    .createMetaEnvelope.metaEnvelope.id;
  assert.equal(await updateCode(friend, listed, { _acl: { grants: [grant(friend, 15)] } }), "ACL_CHANGE_FORBIDDEN");
});

test("the owner may always replace the policy of an active record, with _acl, the stored ontology and an empty payload [V-CASE-002] [V-ACL-028] [V-DEC-761] [V-DEC-762] [V-DEC-763] [V-DEC-764]", async () => {
  const id = await createUnder({ grants: [grant(friend, 15)], denials: { enames: [owner.ename] } });
  const replace = (input: object) => as(owner, UPDATE, { id, input: { ontology: "note", payload: {}, ...input } });
  const locked = { grants: [grant(friend, 1)] };
  assert.equal(refusalOf(await replace({ _acl: locked, payload: { a: 2 } })).code, "NOT_FOUND");
  assert.equal(refusalOf(await replace({ _acl: locked, ontology: "other" })).code, "NOT_FOUND");
  assert.equal(refusalOf(await replace({})).code, "NOT_FOUND");
  const still = (await replace({ _acl: locked })).body.data.updateMetaEnvelope;
  assert.deepEqual(still, { metaEnvelope: null, errors: [] }, "the new policy gives the owner no READ");
  const opened = (await replace({ _acl: { grants: [grant(owner, 15)] } })).body.data.updateMetaEnvelope.metaEnvelope;
  assert.deepEqual(
    [opened.parsed, opened._acl.grants],
    [{ a: 1 }, [grant(owner, 15)]],
    "replaced whole, nothing merged",
  );
  const removed = await createUnder({ grants: [grant(friend, 8)] });
  await as(friend, DOCUMENTS.remove, { id: removed });
  const input = { ontology: "note", payload: {}, _acl: { grants: [grant(owner, 15)] } };
  assert.equal(
    refusalOf(await as(owner, UPDATE, { id: removed, input })).code,
    "NOT_FOUND",
    "a removed one keeps its last",
  );
});

test("an omitted policy stays, null removes it only beside an acl, and under a policy the array is stored as the owner alone [V-VRS-005] [V-DEC-404] [V-ACL-029] [V-ACL-030] [V-ME-009] [V-ACL-032] [V-GUARD-010]", async () => {
  const id = await createUnder({ grants: [grant(owner, 15)] }, { acl: ["*"] });
  const stored = async () =>
    (
      await vault.database.query<{ acl: string[]; block: string | null }>({
        text: "select coalesce(acl, array[owner]) as acl, acl_block as block from meta_envelope where owner = $1 and id = $2",
        values: [owner.ename, id],
      })
    ).rows[0];
  assert.deepEqual((await stored())?.acl, [owner.ename]);
  assert.deepEqual(JSON.parse((await stored())?.block ?? "null").grants, [grant(owner, 15)]);
  assert.equal(await updateCode(owner, id, { acl: ["*"] }), undefined);
  assert.deepEqual([(await stored())?.acl, await reads(stranger, id)], [[owner.ename], false]);
  assert.equal(await updateCode(owner, id, { _acl: null }), "INVALID_ACL");
  assert.equal(await reads(stranger, id), false);
  assert.equal(await updateCode(owner, id, { _acl: null, acl: ["*", friend.ename] }), undefined);
  const { _acl } = (await as(stranger, READ, { id })).body.data.metaEnvelope;
  assert.deepEqual(_acl, {
    v: 1,
    grants: [grant(owner, 15), grant(friend, 15)],
    denials: { enames: [], conditions: [] },
    default_perms: 1,
    require: [[]],
  });
});

test("a stored policy that cannot be read lets nobody in but the owner's replacement, and the array is not asked [V-ACL-027]", async () => {
  const id = await createUnder({ grants: [grant(owner, 15)] });
  await vault.database.query({
    text: `update meta_envelope set acl_block = '{"v":9}', acl_key = 'of a later build', acl = array['*']
      where owner = $1 and id = $2`,
    values: [owner.ename, id],
  });
  assert.deepEqual([await reads(owner, id), await reads(friend, id)], [false, false]);
  const { body } = await as(owner, DOCUMENTS.list, { first: 100 });
  assert.ok(body.data.metaEnvelopes.edges.every(({ node }: { node: { id: string } }) => node.id !== id));
  assert.equal(await updateCode(owner, id), "NOT_FOUND");
  const input = { ontology: "note", payload: {}, _acl: { grants: [grant(owner, 15)] } };
  assert.equal((await as(owner, UPDATE, { id, input })).body.data.updateMetaEnvelope.metaEnvelope.id, id);
});

test("a rollback keeps the policy, and a removed record's history and return are decided by the last one it carried [V-STATE-016] [V-STATE-023] [V-STATE-027]", async () => {
  const id = await createUnder({ grants: [grant(owner, 15), grant(friend, 15)] });
  await as(owner, UPDATE, {
    id,
    input: { ontology: "note", payload: { b: 2 }, _acl: { grants: [grant(friend, 13)] } },
  });
  const history = async (person: Person) =>
    (await as(person, DOCUMENTS.history, { id })).body.data.metaEnvelopeHistory.totalCount;
  const rollback = `mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) {
    metaEnvelope { parsed _acl { grants { ename perms } } } version errors { code } } }`;
  const restored = (await as(friend, rollback, { id })).body.data.rollbackMetaEnvelope;
  assert.deepEqual(restored.metaEnvelope, { parsed: { a: 1 }, _acl: { grants: [grant(friend, 13)] } });
  await as(friend, DOCUMENTS.remove, { id });
  assert.deepEqual([await history(friend), await history(owner), await history(stranger)], [4, 0, 0]);
  assert.equal(refusalOf(await as(owner, rollback, { id })).code, "NOT_FOUND");
  assert.equal((await as(friend, rollback, { id })).body.data.rollbackMetaEnvelope.version, 5);
});
