import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const ROLLBACK = `mutation ($id: ID!, $version: Int!) { rollbackMetaEnvelope(id: $id, version: $version) {
  metaEnvelope { id ontology parsed } version restoredFromVersion errors { field message code } } }`;

async function update(vault: TestVault, owner: string, id: string, payload: object, ontology = "note"): Promise<void> {
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology, payload } });
  assert.deepEqual(body.data.updateMetaEnvelope.errors, []);
}

async function rollback(vault: TestVault, owner: string, id: string, version: number) {
  const { body } = await askGraphQL(vault, owner, ROLLBACK, { id, version });
  return body.data.rollbackMetaEnvelope;
}

test("a rollback replaces the payload exactly, restores the ontology and is a version of its own [V-STATE-021] [V-STATE-022] [V-STATE-024] [V-MUT-005] [V-MUT-006] [V-VER-016] [V-DEC-407] [V-DEC-500] [V-DEC-524] [V-SVC-010]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { ontology: "one", payload: { a: 1, keep: [1] } });
  await update(vault, owner, id, { a: 2, fresh: true }, "two");
  const { metaEnvelope, version, restoredFromVersion, errors } = await rollback(vault, owner, id, 1);
  assert.deepEqual(metaEnvelope, { id, ontology: "one", parsed: { a: 1, keep: [1] } });
  assert.deepEqual([version, restoredFromVersion, errors], [3, 1, []]);
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id });
  const [newest, before] = body.data.metaEnvelopeHistory.edges.map(
    (edge: { node: Record<string, unknown> }) => edge.node,
  );
  assert.deepEqual([newest.operation, newest.restoredFromVersion, newest.parsed], ["update", 1, { a: 1, keep: [1] }]);
  assert.equal(before.restoredFromVersion, null);
  const { logs } = (await ask(vault, "/logs?limit=1", { headers: { "x-ename": owner } })).body;
  const hashed = JSON.stringify({ id, ontology: "one", payload: { a: 1, keep: [1] } });
  assert.equal(logs[0].envelopeHash, createHash("sha256").update(hashed).digest("hex"));
  for (const [ontologyId, count] of [
    ["one", 1],
    ["two", 0],
  ] as const) {
    const list = await askGraphQL(vault, owner, DOCUMENTS.list, { filter: { ontologyId } });
    assert.equal(list.body.data.metaEnvelopes.totalCount, count);
  }
});

test("a rollback can itself be rolled back [V-STATE-025]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { n: 1 } });
  await update(vault, owner, id, { n: 2 });
  await rollback(vault, owner, id, 1);
  const again = await rollback(vault, owner, id, 2);
  assert.deepEqual([again.metaEnvelope.parsed, again.version, again.restoredFromVersion], [{ n: 2 }, 4, 2]);
});

test("a rollback brings a removed record back to its old place, as a create in version, log and event [V-STATE-026] [V-DEC-501] [decision V21] [V-DEC-741]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { n: 1 } });
  const later = await create(vault, owner, { payload: { n: 2 } });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  assert.equal((await rollback(vault, owner, id, 1)).version, 3);
  const list = (await askGraphQL(vault, owner, DOCUMENTS.list)).body.data.metaEnvelopes;
  assert.deepEqual(
    list.edges.map((edge: { node: { id: string } }) => edge.node.id),
    [id, later],
  );
  assert.equal(list.totalCount, 2);
  const { body } = await ask(vault, "/logs?limit=1", { headers: { "x-ename": owner } });
  assert.equal(body.logs[0].operation, "create");
  const { rows } = await vault.database.query<{ body: string }>({
    text: "select body from change_event where stream_version = 3",
    values: [],
  });
  assert.deepEqual([JSON.parse(rows[0]!.body).operation, JSON.parse(rows[0]!.body).data], ["create", { n: 1 }]);
});

for (const [what, version, code] of [
  ["a version that does not exist", 9, "VERSION_NOT_FOUND"],
  ["the largest version number that GraphQL can carry", 2_147_483_647, "VERSION_NOT_FOUND"],
  ["the smallest version number that GraphQL can carry", -2_147_483_648, "INVALID_VERSION"],
  ["a version that records a removal", 2, "VERSION_IS_DELETE"],
  ["version 0", 0, "INVALID_VERSION"],
  ["a negative version", -1, "INVALID_VERSION"],
] as const) {
  test(`a rollback to ${what} is ${code} and changes nothing [V-ERR-007] [V-ERR-008] [V-ERR-009] [V-STATE-019] [V-STATE-020] [V-STATE-028]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const id = await create(vault, owner, { payload: { n: 1 } });
    await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
    const answer = await askGraphQL(vault, owner, ROLLBACK, { id, version });
    assert.equal(refusalOf(answer).code, code);
    assert.equal(answer.body.data.rollbackMetaEnvelope.metaEnvelope, null);
    const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id });
    assert.equal(history.body.data.metaEnvelopeHistory.totalCount, 2);
  });
}

test("a rollback to a version that cannot be read back is ROLLBACK_FAILED, and of an unknown id NOT_FOUND [V-ERR-010]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { n: 1 } });
  await update(vault, owner, id, { n: 2 });
  await vault.database.query({ text: "update change set payload = '{' where version = 1", values: [] });
  assert.equal(refusalOf(await askGraphQL(vault, owner, ROLLBACK, { id, version: 1 })).code, "ROLLBACK_FAILED");
  assert.equal(refusalOf(await askGraphQL(vault, owner, ROLLBACK, { id: "unknown", version: 1 })).code, "NOT_FOUND");
});

test("a rollback leaves the access array as it is now [V-STATE-023] [T-26]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { n: 1 }, acl: ["*"] });
  await askGraphQL(vault, owner, DOCUMENTS.update, {
    id,
    input: { ontology: "note", payload: { n: 2 }, acl: [owner] },
  });
  await rollback(vault, owner, id, 1);
  const { rows } = await vault.database.query<{ acl: string[] | null }>({
    text: "select acl from meta_envelope",
    values: [],
  });
  assert.deepEqual(rows, [{ acl: null }]);
});
