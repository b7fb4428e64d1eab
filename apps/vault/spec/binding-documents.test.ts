import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { signText } from "@dataspace/wallet/sign-text";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import vectors from "../../../vectors/binding-document.json" with { type: "json" };
import { createVault } from "../src/store/vault-rows.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import {
  BINDING,
  changeKey,
  connection,
  createDocument,
  type Saying,
  self,
  sendDocument,
  signatureOf,
} from "./support/binding-documents.ts";
import { create, DOCUMENTS, errorCodeOf, refusalOf } from "./support/operations.ts";
import { createPerson, platformHeaders } from "./support/people.ts";
import { startVault } from "./support/start-vault.ts";

const ONTOLOGY = "b1d0a8c3-4e5f-6789-0abc-def012345678";

test("the owner creates a binding document, which is a MetaEnvelope with a version, a log entry and an event [V-SVC-011] [V-BIND-001] [V-BIND-002] [V-BIND-003] [V-BIND-004] [V-BIND-013] [V-BIND-014] [V-BIND-015] [V-BIND-016] [V-STATE-005] [V-QRY-014] [V-QRY-015] [V-MUT-016] [V-MUT-017] [V-DEC-343] [V-DEC-344] [V-DEC-600]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const ada = await createPerson(vault);
  const saying = self(ada);
  const ownerSignature = await signatureOf(ada, saying);
  const input = { ...saying, ownerSignature };
  const answer = await askGraphQL(vault, ada.ename, BINDING.create, { input }, await ada.at(ada.ename));
  const { metaEnvelopeId, bindingDocument, errors } = answer.body.data.createBindingDocument;
  assert.deepEqual(errors, []);
  const payload = { ...saying, signatures: [ownerSignature] };
  const envelopes = Object.keys(payload).map((fieldKey) => ({ fieldKey }));
  const expected = { id: metaEnvelopeId, ontology: ONTOLOGY, ...payload, parsed: payload, envelopes };
  assert.deepEqual(bindingDocument, expected);
  const headers = await ada.at(ada.ename);
  const read = await askGraphQL(vault, ada.ename, BINDING.read, { id: metaEnvelopeId }, headers);
  assert.deepEqual(read.body.data.bindingDocument, expected);
  const asRecord = await askGraphQL(vault, ada.ename, DOCUMENTS.read, { id: metaEnvelopeId }, headers);
  assert.deepEqual(asRecord.body.data.metaEnvelope.parsed, payload);
  const history = await askGraphQL(vault, ada.ename, DOCUMENTS.history, { id: metaEnvelopeId }, headers);
  const [version] = history.body.data.metaEnvelopeHistory.edges;
  assert.deepEqual([version.node.operation, version.node.author], ["create", ada.ename]);
  const logs = (await ask(vault, "/logs", { headers: { "x-ename": ada.ename, ...headers } })).body.logs;
  assert.deepEqual([logs.length, logs[0].operation, logs[0].ontology], [1, "create", ONTOLOGY]);
  const { rows } = await vault.database.query<{ body: string; policy: string }>({
    text: "select body, policy from change_event",
    values: [],
  });
  const event = JSON.parse(rows[0]!.body);
  assert.deepEqual([event.operation, event.schemaId, event.data], ["create", ONTOLOGY, payload]);
  assert.deepEqual(JSON.parse(rows[0]!.policy), { acl: [ada.ename], _acl: null });
});

const SOMEBODY = `@${randomUUID()}`;
const SHAPES: readonly [requirement: string, type: string, sent: object, stored: object][] = [
  [
    "[V-BIND-007] [V-BIND-030]",
    "id_document",
    { vendor: "v", reference: "r", name: "n", more: 1 },
    { vendor: "v", reference: "r", name: "n" },
  ],
  ["[V-BIND-008] [V-BIND-031]", "photograph", { photoBlob: "AAAA" }, { photoBlob: "AAAA" }],
  [
    "[V-BIND-031]",
    "photograph",
    { photoBlob: "AAAA", description: "at sea" },
    { photoBlob: "AAAA", description: "at sea" },
  ],
  ["[V-BIND-010] [V-BIND-033]", "self", { name: "Ada \u00dcn\u00ef" }, { kind: "self", name: "Ada \u00dcn\u00ef" }],
];
for (const [requirement, type, sent, stored] of SHAPES) {
  test(`data of ${type} ${Object.keys(sent)} is stored in the form that is signed [V-BIND-012] [V-BIND-034] ${requirement}`, async () => {
    await using vault = await startVault();
    const ada = await createPerson(vault);
    const saying = { subject: SOMEBODY.slice(1).toUpperCase(), type, data: sent } as Saying;
    const { body } = await sendDocument(vault, { owner: ada.ename, saying, signer: ada });
    const { bindingDocument, errors } = body.data.createBindingDocument;
    assert.deepEqual(errors, []);
    assert.deepEqual([bindingDocument.subject, bindingDocument.type, bindingDocument.data], [SOMEBODY, type, stored]);
  });
}

test("subject is the bound eName, with @ added, may differ from the owner, and alone is in the access array [V-BIND-006] [V-DEC-602]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [ada, bob, eve] = [await createPerson(vault), await createPerson(vault), await createPerson(vault)];
  const saying = { ...self(ada), subject: bob.ename.slice(1) };
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada }, await ada.at(ada.ename));
  for (const [reader, expected] of [
    [ada, bob.ename],
    [bob, bob.ename],
    [eve, undefined],
  ] as const) {
    const { body } = await askGraphQL(vault, ada.ename, BINDING.read, { id }, await reader.at(ada.ename));
    assert.equal(body.data.bindingDocument?.subject, expected);
  }
});

test("the owner writes a social_connection with one of two distinct parties being itself [V-BIND-009] [V-BIND-032]", async () => {
  await using vault = await startVault();
  const [ada, bob] = [await createPerson(vault), await createPerson(vault)];
  const saying = connection([ada, bob]);
  const { kind, ...unkind } = saying.data;
  const sent = { owner: ada.ename, saying: { ...saying, data: unkind }, signer: ada };
  const { body } = await sendDocument(vault, sent);
  assert.deepEqual(body.data.createBindingDocument.bindingDocument.data, saying.data);
  const { rows } = await vault.database.query({ text: "select quarantined from meta_envelope", values: [] });
  assert.deepEqual([rows, kind], [[{ quarantined: false }], "social_connection"]);
});

const MALFORMED: readonly [what: string, change: object, code: string, field: string][] = [
  ["without a member of its data", { data: {} }, "INVALID_BINDING_DOCUMENT", "data.name"],
  ["with data of another type", { type: "photograph" }, "INVALID_BINDING_DOCUMENT", "data.photoBlob"],
  ["with data that is not an object", { data: ["Ada"] }, "BAD_USER_INPUT", "data"],
  ["with U+0000 in its data", { data: { name: "a\u0000" } }, "INVALID_TEXT", "data.name"],
  ["with a subject that is not an eName", { subject: "ada" }, "INVALID_ENAME", "subject"],
  ["over 1 MiB", { type: "photograph", data: { photoBlob: "A".repeat(1_048_576) } }, "PAYLOAD_TOO_LARGE", "payload"],
];
for (const [what, change, code, field] of MALFORMED) {
  test(`a binding document ${what} is ${code} [V-BIND-012]`, async () => {
    await using vault = await startVault();
    const ada = await createPerson(vault);
    const ownerSignature = await signatureOf(ada, self(ada));
    const input = { ...self(ada), ownerSignature, ...change };
    const refused = refusalOf(await askGraphQL(vault, ada.ename, BINDING.create, { input }));
    assert.deepEqual([refused.code, refused.field], [code, field]);
  });
}

test("a type outside the four is refused, as a literal and as a variable [V-BIND-011] [V-DEC-341]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const ownerSignature = await signatureOf(ada, self(ada));
  const input = { ...self(ada), type: "deployment_key", ownerSignature };
  const byVariable = await askGraphQL(vault, ada.ename, BINDING.create, { input });
  assert.deepEqual([byVariable.status, errorCodeOf(byVariable)], [400, "BAD_USER_INPUT"]);
  const literal = "{ bindingDocuments(type: deployment_key) { totalCount } }";
  const byLiteral = await askGraphQL(vault, ada.ename, literal);
  assert.deepEqual([byLiteral.status, errorCodeOf(byLiteral)], [400, "GRAPHQL_VALIDATION_FAILED"]);
});

test("a timestamp is ISO 8601 and a signer an eName; timestamps are stored as sent [V-BIND-014] [V-BIND-016]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const good = await signatureOf(ada, self(ada));
  const send = (change: object) =>
    askGraphQL(vault, ada.ename, BINDING.create, { input: { ...self(ada), ownerSignature: { ...good, ...change } } });
  const bad = [
    "",
    "yesterday",
    "1770091506",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-02-03",
    "2026-02-03T24:61:00Z",
  ];
  for (const timestamp of bad) {
    const { code, field } = refusalOf(await send({ timestamp }));
    assert.deepEqual([code, field], ["BAD_USER_INPUT", "ownerSignature.timestamp"], timestamp);
  }
  for (const timestamp of ["2026-02-03T04:05:06Z", "2026-02-03T04:05:06.123456", "2024-02-29T23:59+05:30"]) {
    const { body } = await send({ timestamp });
    assert.equal(body.data.createBindingDocument.bindingDocument.signatures[0].timestamp, timestamp);
  }
  const { code, field } = refusalOf(await send({ signer: "ada" }));
  assert.deepEqual([code, field], ["INVALID_ENAME", "ownerSignature.signer"]);
});

test("an owner signature of another's, by another key, over another text or of no key at all is refused and writes nothing [V-DEC-601]", async () => {
  await using vault = await startVault();
  const [ada, eve] = [await createPerson(vault), await createPerson(vault)];
  const good = await signatureOf(ada, self(ada));
  const hash = vectors.own[1]!.sha256Hex;
  for (const [ownerSignature, code] of [
    [await signatureOf(eve, self(ada)), "INVALID_SIGNER"],
    [{ ...(await signatureOf(eve, self(ada))), signer: ada.ename }, "INVALID_SIGNATURE"],
    [await signatureOf(ada, self(ada, "Bob")), "INVALID_SIGNATURE"],
    [{ ...good, signature: await signText(ada.key, JSON.stringify(self(ada))) }, "INVALID_SIGNATURE"],
    [{ ...good, signature: hash }, "INVALID_SIGNATURE"],
    [{ ...good, signature: "" }, "INVALID_SIGNATURE"],
    [{ ...good, signature: `${good.signature}\u0000` }, "INVALID_SIGNATURE"],
  ] as const) {
    const answer = await askGraphQL(vault, ada.ename, BINDING.create, { input: { ...self(ada), ownerSignature } });
    assert.equal(refusalOf(answer).code, code);
    assert.equal(answer.body.data.createBindingDocument.metaEnvelopeId, null);
  }
  const { rows } = await vault.database.query({ text: "select 1 from change", values: [] });
  assert.deepEqual(rows, []);
});

test("each of the signer's keys in force signs, a new one at once and a removed one no more [V-DEC-600] [V-DEC-601]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const tablet = await createWalletKey();
  const byTablet = { owner: ada.ename, saying: self(ada), signer: { ...ada, key: tablet } };
  assert.equal(refusalOf(await sendDocument(vault, byTablet)).code, "INVALID_SIGNATURE");
  await createDocument(vault, { ...byTablet, signer: ada });
  await changeKey(vault, ada, { method: "PATCH", key: tablet });
  await createDocument(vault, byTablet);
  await createDocument(vault, { ...byTablet, signer: ada });
  await changeKey(vault, ada, { method: "DELETE", key: tablet });
  assert.equal(refusalOf(await sendDocument(vault, byTablet)).code, "INVALID_SIGNATURE");
});

test("the keys are those certified at the vault that the registry names, also for an owner with a vault here [V-DEC-600] [V-DEC-601]", async () => {
  await using here = await startVault();
  await using elsewhere = await startVault({}, { registry: here.registry });
  const ada = await createPerson(here);
  const sent = { owner: ada.ename, saying: self(ada), signer: ada };
  const key = await createWalletKey();
  const point = Buffer.from(decodePublicKey(key.publicKey).point).toString("hex");
  const moved = { owner: ada.ename, vaultId: SOMEBODY, publicKey: { text: key.publicKey, point } };
  await elsewhere.database.transaction((tx) => createVault(tx, { ...moved, at: new Date().toISOString() }));
  here.registry.addresses.set(ada.ename, elsewhere.url);
  assert.equal(refusalOf(await sendDocument(here, sent)).code, "INVALID_SIGNATURE");
  await createDocument(here, { ...sent, signer: { ...ada, key } });
  here.registry.addresses.set(ada.ename, "http://127.0.0.1:9");
  assert.equal(refusalOf(await sendDocument(here, sent)).code, "REGISTRY_UNAVAILABLE");
  here.registry.addresses.delete(ada.ename);
  assert.equal(refusalOf(await sendDocument(here, sent)).code, "INVALID_SIGNATURE");
});

test("an owner without a key signs nothing [V-DEC-601]", async () => {
  await using vault = await startVault();
  const ada = { ...(await createPerson(vault)), ename: await vault.createOwner() };
  const answer = await sendDocument(vault, { owner: ada.ename, saying: self(ada), signer: ada });
  assert.equal(refusalOf(answer).code, "INVALID_SIGNATURE");
});

test("while the signer's keys are not available a signature is REGISTRY_UNAVAILABLE, neither good nor bad, and spends no token [V-DEC-601]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const ada = await createPerson(vault);
  const sent = { owner: ada.ename, saying: self(ada), signer: ada };
  const headers = await ada.at(ada.ename);
  vault.registry.down = true;
  assert.equal(refusalOf(await sendDocument(vault, sent, headers)).code, "REGISTRY_UNAVAILABLE");
  vault.registry.down = false;
  await createDocument(vault, sent, headers);
});

test("a signature in any spelling that wallets use verifies [decision I9]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const ownerSignature = await signatureOf(ada, self(ada), "base58btc");
  const { body } = await askGraphQL(vault, ada.ename, BINDING.create, { input: { ...self(ada), ownerSignature } });
  assert.deepEqual(body.data.createBindingDocument.bindingDocument.signatures, [ownerSignature]);
});

test("the owner and a platform token that may write create; anybody else is FORBIDDEN, nobody UNAUTHENTICATED [V-STATE-005] [decision V12]", async () => {
  for (const [auth, legacyTokens] of [
    ["enforced", "accept"],
    ["enforced", "read-only"],
    ["header", "accept"],
  ] as const) {
    await using vault = await startVault({ auth, legacyTokens });
    const [ada, carrier] = [await createPerson(vault), await createPerson(vault)];
    const sent = { owner: ada.ename, saying: self(ada), signer: ada };
    const platform = await sendDocument(vault, sent, platformHeaders(vault));
    if (legacyTokens === "accept") assert.deepEqual(platform.body.data.createBindingDocument.errors, []);
    else assert.equal(refusalOf(platform).code, "FORBIDDEN");
    const tokenless = await sendDocument(vault, sent);
    if (auth === "header") assert.deepEqual(tokenless.body.data.createBindingDocument.errors, []);
    else assert.equal(refusalOf(tokenless).code, "UNAUTHENTICATED");
    assert.equal(refusalOf(await sendDocument(vault, sent, await carrier.at(ada.ename))).code, "FORBIDDEN");
  }
});

test("X-ON-BEHALF-OF and the platform are recorded of a binding document as of any write [V-AUTH-008] [decision I5]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const ada = await createPerson(vault);
  const sent = { owner: ada.ename, saying: self(ada), signer: ada };
  const id = await createDocument(vault, sent, { ...platformHeaders(vault), "x-on-behalf-of": SOMEBODY });
  const { body } = await askGraphQL(vault, ada.ename, DOCUMENTS.history, { id }, await ada.at(ada.ename));
  const { author, requestingPlatform } = body.data.metaEnvelopeHistory.edges[0].node;
  assert.deepEqual([author, requestingPlatform], [SOMEBODY, "https://platform.example"]);
});

test("bindingDocument is null for an unknown id, for another MetaEnvelope and after a removal; metaEnvelope shows it [V-QRY-014] [V-DEC-608] [decision V13]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const note = await create(vault, ada.ename, { payload: self(ada) });
  const id = await createDocument(vault, { owner: ada.ename, saying: self(ada), signer: ada });
  const read = async (of: string) =>
    (await askGraphQL(vault, ada.ename, BINDING.read, { id: of })).body.data.bindingDocument;
  assert.deepEqual([await read("unknown"), await read(note), (await read(id)).id], [null, null, id]);
  const { body } = await askGraphQL(vault, ada.ename, DOCUMENTS.remove, { id });
  assert.deepEqual([body.data.removeMetaEnvelope.success, await read(id)], [true, null]);
});

test("no ordinary write makes or changes a binding document [V-DEC-603] [V-DEC-604] [V-DEC-605] [V-DEC-606] [V-DEC-607] [V-DEC-162]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const id = await createDocument(vault, { owner: ada.ename, saying: self(ada), signer: ada });
  const note = await create(vault, ada.ename, { payload: { a: 1 } });
  const payload = { subject: ada.ename, type: "self", data: { kind: "self", name: "Eve" }, signatures: [] };
  const binding = { ontology: ONTOLOGY, payload };
  const rollback = `mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { errors { field message code } } }`;
  const errorsOnly = `{ results { error } errors { field message code } }`;
  const bulk = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) ${errorsOnly} }`;
  const store = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  const value = "mutation ($id: String!) { updateEnvelopeValue(envelopeId: $id, newValue: []) }";
  const { body } = await askGraphQL(
    vault,
    ada.ename,
    "query ($id: ID!) { metaEnvelope(id: $id) { envelopes { id } } }",
    { id },
  );
  const envelope = body.data.metaEnvelope.envelopes.at(-1).id;
  for (const [query, variables] of [
    [DOCUMENTS.create, { input: binding }],
    [DOCUMENTS.update, { id, input: binding }],
    [DOCUMENTS.update, { id, input: { ontology: "note", payload } }],
    [DOCUMENTS.update, { id: note, input: binding }],
    [rollback, { id }],
  ] as const) {
    assert.equal(refusalOf(await askGraphQL(vault, ada.ename, query, variables)).code, "USE_BINDING_DOCUMENT_MUTATION");
  }
  const stored = await askGraphQL(vault, ada.ename, store, { input: binding });
  const valued = await askGraphQL(vault, ada.ename, value, { id: envelope });
  assert.deepEqual([stored, valued].map(errorCodeOf), [
    "USE_BINDING_DOCUMENT_MUTATION",
    "USE_BINDING_DOCUMENT_MUTATION",
  ]);
  const inBulk = await askGraphQL(vault, ada.ename, bulk, { inputs: [binding] }, await ada.at(ada.ename));
  assert.match(inBulk.body.data.bulkCreateMetaEnvelopes.results[0].error, /^USE_BINDING_DOCUMENT_MUTATION: /);
  await askGraphQL(vault, ada.ename, DOCUMENTS.remove, { id });
  assert.equal(refusalOf(await askGraphQL(vault, ada.ename, rollback, { id })).code, "USE_BINDING_DOCUMENT_MUTATION");
  const anonymous = await startVault({ auth: "enforced" });
  await using _ = anonymous;
  const answer = await askGraphQL(anonymous, await anonymous.createOwner(), store, { input: binding });
  assert.equal(errorCodeOf(answer), "UNAUTHENTICATED");
});
