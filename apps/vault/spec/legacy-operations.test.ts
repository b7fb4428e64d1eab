import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault } from "./support/start-vault.ts";

const STORE =
  "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id ontology parsed } envelopes { id fieldKey ontology value valueType } } }";
const UPDATE_BY_ID =
  "mutation ($id: String!, $input: MetaEnvelopeInput!) { updateMetaEnvelopeById(id: $id, input: $input) { metaEnvelope { id ontology parsed } envelopes { id ontology value valueType } } }";
const UPDATE_VALUE =
  "mutation ($envelopeId: String!, $newValue: JSON!) { updateEnvelopeValue(envelopeId: $envelopeId, newValue: $newValue) }";

test("storeMetaEnvelope and getMetaEnvelopeById have their old shapes [V-LEG-001] [V-LEG-005] [V-VRS-002]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const { body } = await askGraphQL(vault, owner, STORE, { input: { ontology: "o", payload: { a: 1 }, acl: ["*"] } });
  const { metaEnvelope, envelopes } = body.data.storeMetaEnvelope;
  assert.deepEqual([metaEnvelope.ontology, metaEnvelope.parsed], ["o", { a: 1 }]);
  assert.deepEqual(envelopes, [
    { id: `${metaEnvelope.id}.YQ`, fieldKey: "a", ontology: "a", value: 1, valueType: "number" },
  ]);
  const read = await askGraphQL(
    vault,
    owner,
    "query ($id: String!) { getMetaEnvelopeById(id: $id) { id ontology parsed } }",
    { id: metaEnvelope.id },
  );
  assert.deepEqual(read.body.data.getMetaEnvelopeById, metaEnvelope);
});

test("findMetaEnvelopesByOntology, searchMetaEnvelopes and getAllEnvelopes give everything, in order [V-LEG-002] [V-LEG-003] [V-LEG-004]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const ids = [];
  for (let n = 0; n < 3; n += 1)
    ids.push(await create(vault, owner, { ontology: "o", payload: { n, t: `Text ${n}` } }));
  await create(vault, owner, { ontology: "other", payload: { t: "Text" } });
  const found = await askGraphQL(vault, owner, '{ findMetaEnvelopesByOntology(ontology: "o") { id } }');
  assert.deepEqual(
    found.body.data.findMetaEnvelopesByOntology.map((one: { id: string }) => one.id),
    ids,
  );
  const searched = await askGraphQL(vault, owner, '{ searchMetaEnvelopes(ontology: "o", term: "TEXT 1") { id } }');
  assert.deepEqual(searched.body.data.searchMetaEnvelopes, [{ id: ids[1] }]);
  const all = await askGraphQL(vault, owner, "{ getAllEnvelopes { id fieldKey value valueType } }");
  assert.equal(all.body.data.getAllEnvelopes.length, 7);
});

test("a list without pages over its cap is RESULT_TOO_LARGE, never cut [decision V13] [V-DEC-586] [V-DEC-587]", async () => {
  await using vault = await startVault({ unpagedCap: 3 });
  const owner = await vault.createOwner();
  for (let n = 0; n < 3; n += 1) await create(vault, owner, { ontology: "o", payload: { n } });
  const query = '{ findMetaEnvelopesByOntology(ontology: "o") { id } }';
  assert.equal((await askGraphQL(vault, owner, query)).body.data.findMetaEnvelopesByOntology.length, 3);
  await create(vault, owner, { ontology: "o", payload: {} });
  for (const over of [query, "{ getAllEnvelopes { id } }", '{ searchMetaEnvelopes(ontology: "o", term: "") { id } }']) {
    assert.equal(errorCodeOf(await askGraphQL(vault, owner, over)), "RESULT_TOO_LARGE");
  }
});

test("updateMetaEnvelopeById patches and deleteMetaEnvelope removes; their refusals are GraphQL errors [V-LEG-006] [V-LEG-007] [V-DEC-377]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1, b: 2 } });
  const { body } = await askGraphQL(vault, owner, UPDATE_BY_ID, { id, input: { ontology: "note", payload: { b: 3 } } });
  assert.deepEqual(body.data.updateMetaEnvelopeById.metaEnvelope.parsed, { a: 1, b: 3 });
  const remove = "mutation ($id: String!) { deleteMetaEnvelope(id: $id) }";
  assert.deepEqual((await askGraphQL(vault, owner, remove, { id })).body.data, { deleteMetaEnvelope: true });
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, remove, { id })), "NOT_FOUND");
  const gone = await askGraphQL(vault, owner, UPDATE_BY_ID, { id, input: { ontology: "note", payload: {} } });
  assert.deepEqual([gone.status, errorCodeOf(gone)], [200, "NOT_FOUND"]);
});

test("updateEnvelopeValue changes one value: an update in version and event, update_envelope_value in the log [V-LEG-008] [V-LOG-008] [V-DEC-502] [V-DEC-523]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { ontology: "o", payload: { a: 1, "k.e y": { old: true } } });
  const read = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  const envelopeId = read.body.data.metaEnvelope.envelopes[1].id;
  const { body } = await askGraphQL(vault, owner, UPDATE_VALUE, { envelopeId, newValue: [null, "x"] });
  assert.deepEqual(body.data, { updateEnvelopeValue: true });
  const after = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  assert.deepEqual(after.body.data.metaEnvelope.parsed, { a: 1, "k.e y": [null, "x"] });
  const [entry] = (await ask(vault, "/logs", { headers: { "x-ename": owner } })).body.logs;
  const hashed = JSON.stringify({ id: envelopeId, ontology: "o", payload: { envelopeId, newValue: [null, "x"] } });
  assert.deepEqual(
    [entry.operation, entry.envelopeHash],
    ["update_envelope_value", createHash("sha256").update(hashed).digest("hex")],
  );
  const { rows } = await vault.database.query<{ operation: string; body: string }>({
    text: "select c.operation, e.body from change c join change_event e on e.stream_version = c.version where c.version = 2",
    values: [],
  });
  assert.deepEqual([rows[0]?.operation, JSON.parse(rows[0]!.body).operation], ["update", "update"]);
});

for (const [what, envelopeId] of [
  ["an unknown record", "unknown.YQ"],
  ["no field", "nothing"],
  ["bad base64url", "x.=="],
  ["an empty text", ""],
] as const) {
  test(`updateEnvelopeValue of an Envelope id with ${what} is NOT_FOUND [V-LEG-008]`, async () => {
    await using vault = await startVault();
    const answer = await askGraphQL(vault, await vault.createOwner(), UPDATE_VALUE, { envelopeId, newValue: 1 });
    assert.equal(errorCodeOf(answer), "NOT_FOUND");
  });
}

test("updateEnvelopeValue refuses what a payload may not hold, and adds no field [V-DEC-472]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1 } });
  const deep = JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`);
  for (const [newValue, code] of [
    ["\u0000", "INVALID_TEXT"],
    [deep, "PAYLOAD_TOO_LARGE"],
    ["x".repeat(1_048_577), "PAYLOAD_TOO_LARGE"],
  ] as const) {
    assert.equal(errorCodeOf(await askGraphQL(vault, owner, UPDATE_VALUE, { envelopeId: `${id}.YQ`, newValue })), code);
  }
  assert.equal(
    errorCodeOf(await askGraphQL(vault, owner, UPDATE_VALUE, { envelopeId: `${id}.Yg`, newValue: 1 })),
    "NOT_FOUND",
  );
});
