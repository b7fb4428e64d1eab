import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { startVault } from "./support/start-vault.ts";

test("createMetaEnvelope answers id, ontology, parsed, envelopes and an empty errors list [V-MUT-001] [V-MUT-002] [V-MUT-020] [V-SVC-004] [V-ME-001] [V-SVC-003]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const input = { ontology: "550e8400-e29b-41d4-a716-446655440001", payload: { content: "Hello" } };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, { input });
  const { metaEnvelope, errors } = body.data.createMetaEnvelope;
  assert.deepEqual(errors, []);
  assert.equal(typeof metaEnvelope.id, "string");
  assert.equal(metaEnvelope.ontology, input.ontology);
  assert.deepEqual(metaEnvelope.parsed, input.payload);
  assert.equal(metaEnvelope.envelopes.length, 1);
});

test("each payload field is one Envelope with its kind of value [V-ME-010] [V-ENV-002] [V-ENV-003] [V-ENV-005] [V-ENV-006] [V-ENV-007] [V-ENV-008] [V-ENV-009] [V-ENV-010] [V-ENV-004] [V-SVC-005] [V-QRY-004] [V-QRY-005]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const payload = { text: "a", number: 1.5, object: { a: 1 }, array: [1, "b", null], yes: true, nothing: null };
  const id = await create(vault, owner, { payload });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  assert.deepEqual(
    body.data.metaEnvelope.envelopes.map(({ fieldKey, value, valueType }: Record<string, unknown>) => [
      fieldKey,
      value,
      valueType,
    ]),
    [
      ["text", "a", "string"],
      ["number", 1.5, "number"],
      ["object", { a: 1 }, "object"],
      ["array", [1, "b", null], "array"],
      ["yes", true, "boolean"],
      ["nothing", null, "null"],
    ],
  );
});

test("an Envelope's ids are unique and stay the same across updates [V-ENV-001] [V-ENV-011]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1, "a.b": 2, Ünï: 3 } });
  const before = (await askGraphQL(vault, owner, DOCUMENTS.read, { id })).body.data.metaEnvelope.envelopes;
  const input = { ontology: "note", payload: { a: "other" } };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.update, { id, input });
  const idOf = (envelopes: { id: string }[]) => envelopes.map((envelope) => envelope.id);
  assert.equal(new Set(idOf(before)).size, 3);
  assert.deepEqual(idOf(body.data.updateMetaEnvelope.metaEnvelope.envelopes), idOf(before));
});

const KEPT: readonly [string, string][] = [
  ["numbers as doubles", '{"a":0.1,"b":1e21,"c":5e-324,"d":9007199254740991,"e":-1.5e-10,"f":12345678901234567890.5}'],
  ["nulls, empty and mixed arrays", '{"a":null,"b":[],"c":{},"d":[1,"x",null,[],{}],"e":[[[]]]}'],
  ["texts of every script", '{"a":"日本語","b":"עברית","c":"𐍈👩‍👩‍👧","d":"\\u001f\\u001b\\u0001","e":"%_\\\\\'"}'],
  ["keys that look like members of objects", '{"constructor":1,"prototype":2,"toString":3,"hasOwnProperty":4,"":5}'],
  ["an empty payload", "{}"],
  ["a number beside a lossless long digit string", '{"a":"9007199254740993","b":[": 1e400"],"c":"x,1e999"}'],
];
for (const [what, json] of KEPT) {
  test(`a payload comes back exactly: ${what} [V-DEC-460] [V-DEC-461] [V-DEC-467] [V-ME-011]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const body = `{"query":${JSON.stringify(DOCUMENTS.create)},"variables":{"input":{"ontology":"o","payload":${json}}}}`;
    const headers = { "content-type": "application/json", "x-ename": owner };
    const created = (await ask(vault, "/graphql", { method: "POST", headers, body })).body;
    const { id } = created.data.createMetaEnvelope.metaEnvelope;
    const read = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
    assert.deepEqual(read.body.data.metaEnvelope.parsed, JSON.parse(json));
  });
}

test("a payload of 64 levels is stored and one of 65 is PAYLOAD_TOO_LARGE [V-DEC-469] [V-DEC-471]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const nested = (levels: number): object => (levels === 1 ? { end: 1 } : { a: nested(levels - 1) });
  const id = await create(vault, owner, { payload: nested(64) });
  assert.deepEqual((await askGraphQL(vault, owner, DOCUMENTS.read, { id })).body.data.metaEnvelope.parsed, nested(64));
  const refused = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: "o", payload: nested(65) } });
  assert.deepEqual([refusalOf(refused).code, refusalOf(refused).field], ["PAYLOAD_TOO_LARGE", "payload"]);
});

test("metaEnvelope is null for an unknown, a removed and an unreadable MetaEnvelope alike [V-DEC-580] [V-SVC-022] [V-SVC-023]", async () => {
  await using vault = await startVault();
  const [owner, other] = [await vault.createOwner(), await vault.createOwner()];
  const removed = await create(vault, owner, { payload: { a: 1 } });
  const elsewhere = await create(vault, other, { payload: { a: 1 } });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: removed });
  for (const id of ["unknown", removed, elsewhere, "x".repeat(5000)]) {
    const { status, body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
    assert.deepEqual([status, body], [200, { data: { metaEnvelope: null } }]);
  }
});

test("an ontology is any text of 1 to 256 characters [V-ME-003] [V-DEC-700]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const ontology of ["ds-file-v1", "x".repeat(256), "ö"]) await create(vault, owner, { ontology, payload: {} });
  for (const ontology of ["", "x".repeat(257)]) {
    const refused = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology, payload: {} } });
    assert.deepEqual([refusalOf(refused).code, refusalOf(refused).field], ["BAD_USER_INPUT", "ontology"]);
  }
});

test("no answer carries the legacy array, whatever is selected [V-ME-005] [V-GUARD-009]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1 }, acl: ["*"] });
  const answers = [
    await askGraphQL(vault, owner, DOCUMENTS.read, { id }),
    await askGraphQL(vault, owner, DOCUMENTS.list),
    await askGraphQL(vault, owner, DOCUMENTS.history, { id }),
    await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "o", payload: { a: 2 } } }),
  ];
  for (const { body } of answers) assert.doesNotMatch(JSON.stringify(body), /"acl"/);
});
