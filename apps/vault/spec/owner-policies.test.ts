import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, askGraphQL } from "./support/ask.ts";
import { sendUpload } from "./support/file-requests.ts";
import { DOCUMENTS, errorCodeOf, refusalOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault } from "./support/start-vault.ts";

const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { id success error } errors { code } } }`;
const STORE = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
const CREATE_TWICE = `mutation ($a: MetaEnvelopeInput!, $b: MetaEnvelopeInput!) {
  a: createMetaEnvelope(input: $a) { metaEnvelope { id } errors { code } }
  b: createMetaEnvelope(input: $b) { metaEnvelope { id } errors { code } } }`;

const full = ({ ename }: Person, perms = 15) => ({ grants: [{ ename, perms }] });
const warningsOf = ({ body }: Answer): readonly { code: string; id: string }[] => body.extensions?.warnings ?? [];
const codesOf = (answer: Answer) => warningsOf(answer).map(({ code }) => code);

test("a policy at creation is the owner's: from a legacy token it is FORBIDDEN on _acl, by every path, and nothing is written [decision V22]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const headers = platformHeaders(vault);
  for (const _acl of [{}, full(owner), { default_perms: 15, require: [[]] }]) {
    const input = { ontology: "note", payload: { a: 1 }, _acl };
    const created = refusalOf(await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, headers));
    assert.deepEqual([created.code, created.field], ["FORBIDDEN", "_acl"]);
    const stored = await askGraphQL(vault, owner.ename, STORE, { input }, headers);
    assert.deepEqual([errorCodeOf(stored), stored.body.errors[0].extensions.field], ["FORBIDDEN", "_acl"]);
    const uploaded = refusalOf(await sendUpload(vault, owner.ename, { _acl }, headers));
    assert.deepEqual([uploaded.code, uploaded.field], ["FORBIDDEN", "_acl"]);
    const inputs = [input, { ...input, _acl: null }];
    const { body } = await askGraphQL(vault, owner.ename, BULK, { inputs }, headers);
    const [refused, written] = body.data.bulkCreateMetaEnvelopes.results;
    assert.match(refused.error, /^FORBIDDEN: /);
    assert.equal(written.success, true, "no policy at all is nobody's policy");
  }
  const { rows } = await vault.database.query<{ n: number }>({
    text: "select count(*) as n from meta_envelope where acl_block is not null",
    values: [],
  });
  assert.deepEqual(rows, [{ n: 0 }]);
});

test("a policy from somebody who is neither owner nor platform is refused at creation and by a store, never dropped [decision V22] [decision V12]", async () => {
  await using vault = await startVault({ auth: "enforced", anonymousStore: "allow" });
  const [owner, other] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const input = { ontology: "note", payload: {}, _acl: full(owner) };
  const created = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, await other.at(owner.ename));
  assert.equal(refusalOf(created).code, "FORBIDDEN");
  for (const headers of [{}, await other.at(owner.ename)]) {
    assert.equal(errorCodeOf(await askGraphQL(vault, owner.ename, STORE, { input }, headers)), "UNAUTHENTICATED");
  }
});

test("a policy that leaves the owner without READ or UPDATE is answered with OWNER_LOCKED_OUT in extensions.warnings [decision V22]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, friend] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const ask = async (document: string, variables: object, more = {}) =>
    askGraphQL(vault, owner.ename, document, variables, await owner.at(owner.ename, more));
  const input = (_acl: unknown) => ({ ontology: "note", payload: { a: 1 }, _acl });
  for (const [policy, expected] of [
    [full(owner), []],
    [full(owner, 5), []],
    [full(owner, 1), ["OWNER_LOCKED_OUT"]],
    [full(owner, 4), ["OWNER_LOCKED_OUT"]],
    [full(friend), ["OWNER_LOCKED_OUT"]],
    [{ ...full(owner), denials: { enames: [owner.ename] } }, ["OWNER_LOCKED_OUT"]],
    [{ default_perms: 5, require: [[]] }, []],
    [undefined, []],
  ] as const) {
    const answer = await ask(DOCUMENTS.create, { input: input(policy) });
    assert.deepEqual(codesOf(answer), expected, JSON.stringify(policy));
  }
  const narrowed = await ask(
    DOCUMENTS.create,
    { input: input({ ...full(owner), denials: { enames: [friend.ename] } }) },
    {
      "x-on-behalf-of": friend.ename,
    },
  );
  assert.deepEqual(codesOf(narrowed), [], "whom the owner acts for is narrowed, not the owner");

  const two = await ask(CREATE_TWICE, { a: input(full(owner)), b: input(full(friend)) });
  assert.deepEqual(
    warningsOf(two).map(({ id }) => id),
    [two.body.data.b.metaEnvelope.id],
  );
  const bulk = await ask(BULK, { inputs: [input(full(friend)), input(full(owner)), input(full(friend))] });
  const { results } = bulk.body.data.bulkCreateMetaEnvelopes;
  assert.deepEqual(
    warningsOf(bulk).map(({ id }) => id),
    [results[0].id, results[2].id],
  );
  const upload = await sendUpload(vault, owner.ename, { _acl: full(friend) }, await owner.at(owner.ename));
  assert.deepEqual(codesOf(upload), ["OWNER_LOCKED_OUT"]);
});

test("a replaced policy warns where it is new, and a repeated request with a key repeats the warning [decision V22] [decision V20]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, friend] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const update = async (id: string, input: object, more = {}) =>
    askGraphQL(
      vault,
      owner.ename,
      DOCUMENTS.update,
      { id, input: { ontology: "note", ...input } },
      await owner.at(owner.ename, more),
    );
  const created = await askGraphQL(
    vault,
    owner.ename,
    DOCUMENTS.create,
    { input: { ontology: "note", payload: {}, _acl: { grants: [...full(owner).grants, ...full(friend).grants] } } },
    await owner.at(owner.ename),
  );
  const { id } = created.body.data.createMetaEnvelope.metaEnvelope;
  const locked = { payload: {}, _acl: full(owner, 4) };
  const keyed = { "idempotency-key": "locked-out" };
  const first = await update(id, locked, keyed);
  assert.deepEqual(
    [first.body.data.updateMetaEnvelope, codesOf(first)],
    [{ metaEnvelope: null, errors: [] }, ["OWNER_LOCKED_OUT"]],
  );
  assert.deepEqual((await update(id, locked, keyed)).body, first.body);
  assert.deepEqual(codesOf(await update(id, { payload: { b: 1 } })), [], "the policy stays as it was");
  assert.deepEqual(codesOf(await update(id, { payload: {}, _acl: full(owner) })), []);
});
