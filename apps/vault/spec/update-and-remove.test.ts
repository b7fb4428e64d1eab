import assert from "node:assert/strict";
import { test } from "node:test";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { startVault } from "./support/start-vault.ts";

test("updateMetaEnvelope replaces the given fields whole, keeps the others and answers all of it [V-STATE-009] [V-DEC-400] [V-DEC-402] [V-SVC-007] [V-MUT-003]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { keep: [1], change: { a: 1, b: 2 }, drop: null } });
  const input = { ontology: "note", payload: { change: { c: 3 }, fresh: true } };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.update, { id, input });
  const merged = { keep: [1], change: { c: 3 }, drop: null, fresh: true };
  assert.deepEqual(body.data.updateMetaEnvelope.metaEnvelope.parsed, merged);
  const read = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  assert.deepEqual(read.body.data.metaEnvelope.parsed, merged);
});

test("updateMetaEnvelope replaces the ontology, and the record moves to the new one's list and count [V-DEC-405] [V-PAGE-018]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { ontology: "old", payload: { a: 1 } });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "new", payload: {} } });
  for (const [ontologyId, count] of [
    ["old", 0],
    ["new", 1],
  ] as const) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter: { ontologyId } });
    assert.equal(body.data.metaEnvelopes.totalCount, count);
    assert.equal(body.data.metaEnvelopes.edges.length, count);
  }
});

test("updateMetaEnvelope of an unknown or removed id is NOT_FOUND, with no version and no event [V-STATE-031] [V-DEC-401] [V-EVT-004] [V-MUT-004] [V-ERR-011]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1 } });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  const input = { ontology: "note", payload: { a: 2 } };
  for (const missing of [id, "unknown"]) {
    const refused = await askGraphQL(vault, owner, DOCUMENTS.update, { id: missing, input });
    const { field, message, code } = refusalOf(refused);
    assert.deepEqual([field, typeof message, code], ["id", "string", "NOT_FOUND"]);
    assert.equal(refused.body.data.updateMetaEnvelope.metaEnvelope, null);
  }
  const { rows } = await vault.database.query<{ changes: number; events: number }>({
    text: "select (select count(*) from change) as changes, (select count(*) from change_event) as events",
    values: [],
  });
  assert.deepEqual(rows, [{ changes: 2, events: 2 }]);
});

test("a patch that makes the record larger than 1 MiB is PAYLOAD_TOO_LARGE and changes nothing [V-DEC-004] [V-DEC-005]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: "x".repeat(600_000) } });
  const input = { ontology: "note", payload: { b: "y".repeat(600_000) } };
  const refused = await askGraphQL(vault, owner, DOCUMENTS.update, { id, input });
  assert.equal(refusalOf(refused).code, "PAYLOAD_TOO_LARGE");
  const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id });
  assert.equal(history.body.data.metaEnvelopeHistory.totalCount, 1);
});

test("a record of exactly 1 MiB of UTF-8 is stored and one byte more is refused [V-DEC-004]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const exact = (1_048_576 - '{"a":""}'.length) / 2;
  await create(vault, owner, { payload: { a: "ü".repeat(exact) } });
  const input = { ontology: "o", payload: { a: `${"ü".repeat(exact)}x` } };
  assert.equal(refusalOf(await askGraphQL(vault, owner, DOCUMENTS.create, { input })).code, "PAYLOAD_TOO_LARGE");
});

test("a payload of 1,000 fields is kept; a patch to 1,001 is PAYLOAD_TOO_LARGE [V-DEC-470]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const payload = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, index]));
  const id = await create(vault, owner, { payload });
  const input = { ontology: "note", payload: { oneMore: 1 } };
  assert.equal(refusalOf(await askGraphQL(vault, owner, DOCUMENTS.update, { id, input })).code, "PAYLOAD_TOO_LARGE");
});

test("removeMetaEnvelope answers deletedId and success, and the data and history stay [V-MUT-009] [V-STATE-013] [V-STATE-014] [V-STATE-015] [V-SVC-024] [V-SVC-025] [V-SVC-008]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { secret: "kept" } });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  assert.deepEqual(body.data.removeMetaEnvelope, { deletedId: id, success: true, errors: [] });
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.list)).body.data.metaEnvelopes.totalCount, 0);
  const { rows } = await vault.database.query<{ payload: string }>({
    text: "select payload from meta_envelope",
    values: [],
  });
  assert.deepEqual(rows, [{ payload: '{"secret":"kept"}' }]);
  const history = (await askGraphQL(vault, owner, DOCUMENTS.history, { id })).body.data.metaEnvelopeHistory;
  assert.deepEqual(
    history.edges.map((edge: { node: { parsed: unknown } }) => edge.node.parsed),
    [null, { secret: "kept" }],
  );
});

test("removeMetaEnvelope of an unknown or removed id is NOT_FOUND with the id it was asked for [V-MUT-008]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.remove, { id: "unknown" });
  const { deletedId, success, errors } = body.data.removeMetaEnvelope;
  assert.deepEqual([deletedId, success, errors[0].code], ["unknown", false, "NOT_FOUND"]);
});

test("32 clients that patch one record at once lose no patch, and its versions are 1 to n with one event each [V-DEC-481] [V-DEC-482]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { start: true } });
  const patches = Array.from({ length: 32 }, (_, index) =>
    askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "note", payload: { [`p${index}`]: index } } }),
  );
  for (const { body } of await Promise.all(patches)) assert.deepEqual(body.data.updateMetaEnvelope.errors, []);
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  assert.equal(Object.keys(body.data.metaEnvelope.parsed).length, 33);
  const { rows } = await vault.database.query<{ versions: number[]; events: number[] }>({
    text: `select (select array_agg(version order by version) from change) as versions,
      (select array_agg(stream_version order by stream_version) from change_event) as events`,
    values: [],
  });
  const oneToN = Array.from({ length: 33 }, (_, index) => index + 1);
  assert.deepEqual(rows[0], { versions: oneToN, events: oneToN });
});
