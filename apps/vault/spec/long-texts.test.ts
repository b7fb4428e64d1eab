import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { createPerson } from "./support/people.ts";
import { startVault } from "./support/start-vault.ts";

const LONG = "x".repeat(1_048_576);
const PAGE = "{ totalCount edges { cursor } }";
const OWNER = "@00000000-0000-4000-8000-000000000001";
const SIGNATURE = { signer: OWNER, signature: "s", timestamp: "2026-02-03T04:05:06Z" };
const BINDING =
  "mutation ($input: CreateBindingDocumentInput!) { createBindingDocument(input: $input) { errors { code } } }";
const SIGN = `mutation ($input: CreateBindingDocumentSignatureInput!) {
  createBindingDocumentSignature(input: $input) { errors { code } } }`;
const CREATE = "mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { errors { code } } }";
const UPLOAD = "mutation ($input: UploadFileInput!) { uploadFile(input: $input) { errors { code } } }";
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) {
  bulkCreateMetaEnvelopes(inputs: $inputs) { results { error } errors { code } } }`;

const condition = (changes: object) => ({
  denials: { enames: [OWNER], conditions: [{ ontology: "o", path: "$.a", op: "==", value: 1, ...changes }] },
});
const search = (changes: object) => ({ filter: { search: { term: "x", ...changes } } });
const document = (changes: object) => ({
  input: { subject: OWNER, type: "self", data: { name: "n" }, ownerSignature: SIGNATURE, ...changes },
});
const create = (changes: object) => ({ input: { ontology: "note", payload: {}, ...changes } });
const upload = (changes: object) => ({
  input: { filename: "a.txt", contentType: "text/plain", content: "", ...changes },
});
const FILTERED = `query ($filter: MetaEnvelopeFilterInput) { metaEnvelopes(filter: $filter) ${PAGE} }`;

/** Where a caller may put text: the document, its variables, and the code of the refusal. */
const FIELDS: Readonly<Record<string, readonly [string, object, string]>> = {
  "metaEnvelope.id": ["query ($id: ID!) { metaEnvelope(id: $id) { id } }", { id: LONG }, "BAD_USER_INPUT"],
  "metaEnvelopeHistory.id": [
    `query ($id: ID!) { metaEnvelopeHistory(id: $id) ${PAGE} }`,
    { id: LONG },
    "BAD_USER_INPUT",
  ],
  "metaEnvelopeHistory.after": [
    `query ($after: String) { metaEnvelopeHistory(id: "a", after: $after) ${PAGE} }`,
    { after: LONG },
    "BAD_CURSOR",
  ],
  "bindingDocument.id": ["query ($id: ID!) { bindingDocument(id: $id) { id } }", { id: LONG }, "BAD_USER_INPUT"],
  "bindingDocuments.after": [
    `query ($after: String) { bindingDocuments(after: $after) ${PAGE} }`,
    { after: LONG },
    "BAD_CURSOR",
  ],
  "metaEnvelopes.after": [
    `query ($after: String) { metaEnvelopes(after: $after) ${PAGE} }`,
    { after: LONG },
    "BAD_CURSOR",
  ],
  "metaEnvelopes.before": [
    `query ($before: String) { metaEnvelopes(last: 1, before: $before) ${PAGE} }`,
    { before: LONG },
    "BAD_CURSOR",
  ],
  "filter.ontologyId": [FILTERED, { filter: { ontologyId: LONG } }, "BAD_USER_INPUT"],
  "search.term": [FILTERED, search({ term: LONG }), "BAD_USER_INPUT"],
  "search.fields": [FILTERED, search({ fields: [LONG] }), "BAD_USER_INPUT"],
  "getMetaEnvelopeById.id": [
    "query ($id: String!) { getMetaEnvelopeById(id: $id) { id } }",
    { id: LONG },
    "BAD_USER_INPUT",
  ],
  "findMetaEnvelopesByOntology.ontology": [
    "query ($o: String!) { findMetaEnvelopesByOntology(ontology: $o) { id } }",
    { o: LONG },
    "BAD_USER_INPUT",
  ],
  "searchMetaEnvelopes.ontology": [
    'query ($o: String!) { searchMetaEnvelopes(ontology: $o, term: "x") { id } }',
    { o: LONG },
    "BAD_USER_INPUT",
  ],
  "searchMetaEnvelopes.term": [
    'query ($term: String!) { searchMetaEnvelopes(ontology: "o", term: $term) { id } }',
    { term: LONG },
    "BAD_USER_INPUT",
  ],
  "input.ontology": [CREATE, create({ ontology: LONG }), "BAD_USER_INPUT"],
  "input.acl": [CREATE, create({ acl: [LONG] }), "INVALID_ACL"],
  "_acl.grants.ename": [CREATE, create({ _acl: { grants: [{ ename: LONG, perms: 1 }] } }), "INVALID_ACL"],
  "_acl.denials.enames": [CREATE, create({ _acl: { denials: { enames: [LONG] } } }), "INVALID_ACL"],
  "_acl.condition.ontology": [CREATE, create({ _acl: condition({ ontology: LONG }) }), "INVALID_ACL"],
  "_acl.condition.path": [CREATE, create({ _acl: condition({ path: `$.${LONG}` }) }), "INVALID_ACL"],
  "_acl.condition.op": [CREATE, create({ _acl: condition({ op: LONG }) }), "INVALID_ACL"],
  "_acl.condition.issuer": [CREATE, create({ _acl: condition({ issuer: LONG }) }), "INVALID_ACL"],
  payload: [CREATE, create({ payload: { a: LONG } }), "PAYLOAD_TOO_LARGE"],
  "payload's key": [CREATE, create({ payload: { [LONG]: 1 } }), "PAYLOAD_TOO_LARGE"],
  "bulk id": [BULK, { inputs: [{ id: LONG, ontology: "o", payload: {} }] }, "INVALID_ID"],
  "updateMetaEnvelope.id": [
    'mutation ($id: ID!) { updateMetaEnvelope(id: $id, input: { ontology: "o", payload: {} }) { errors { code } } }',
    { id: LONG },
    "BAD_USER_INPUT",
  ],
  "rollbackMetaEnvelope.id": [
    "mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { errors { code } } }",
    { id: LONG },
    "BAD_USER_INPUT",
  ],
  "removeMetaEnvelope.id": [
    "mutation ($id: ID!) { removeMetaEnvelope(id: $id) { errors { code } } }",
    { id: LONG },
    "BAD_USER_INPUT",
  ],
  "updateMetaEnvelopeById.id": [
    `mutation ($id: String!) { updateMetaEnvelopeById(id: $id, input: { ontology: "o", payload: {} }) {
      metaEnvelope { id } } }`,
    { id: LONG },
    "BAD_USER_INPUT",
  ],
  "deleteMetaEnvelope.id": ["mutation ($id: String!) { deleteMetaEnvelope(id: $id) }", { id: LONG }, "BAD_USER_INPUT"],
  "updateEnvelopeValue.envelopeId": [
    "mutation ($id: String!) { updateEnvelopeValue(envelopeId: $id, newValue: 1) }",
    { id: `${LONG}.YQ` },
    "BAD_USER_INPUT",
  ],
  "document.subject": [BINDING, document({ subject: LONG }), "INVALID_ENAME"],
  "document.data": [BINDING, document({ data: { name: LONG } }), "PAYLOAD_TOO_LARGE"],
  "signature.signer": [BINDING, document({ ownerSignature: { ...SIGNATURE, signer: LONG } }), "INVALID_ENAME"],
  "signature.signature": [BINDING, document({ ownerSignature: { ...SIGNATURE, signature: LONG } }), "BAD_USER_INPUT"],
  "signature.timestamp": [BINDING, document({ ownerSignature: { ...SIGNATURE, timestamp: LONG } }), "BAD_USER_INPUT"],
  bindingDocumentId: [SIGN, { input: { bindingDocumentId: LONG, signature: SIGNATURE } }, "BAD_USER_INPUT"],
  "upload.filename": [UPLOAD, upload({ filename: LONG }), "BAD_USER_INPUT"],
  "upload.contentType": [UPLOAD, upload({ contentType: LONG }), "BAD_USER_INPUT"],
  "upload.content": [UPLOAD, upload({ content: "A".repeat(14 * 1_048_576) }), "FILE_TOO_LARGE"],
};

test("a text of 1 MiB is refused with a code in each field that takes text [decision V25]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const outcomes: Record<string, string> = {};
  for (const [field, [query, given]] of Object.entries(FIELDS)) {
    const variables = JSON.parse(JSON.stringify(given).replaceAll(OWNER, owner.ename));
    const { status, body } = await askGraphQL(vault, owner.ename, query, variables, await owner.at(owner.ename));
    assert.ok(status < 500, `${field}: ${status}`);
    outcomes[field] = /"(?:code":"|error":")([A-Z_]+)/.exec(JSON.stringify(body))?.[1] ?? "no refusal";
  }
  const expected = Object.entries(FIELDS).map(([field, [, , code]]) => [field, code] as const);
  assert.deepEqual(outcomes, Object.fromEntries(expected));
});

test("a text of almost 1 MiB in a key change is INVALID_PUBLIC_KEY, a long operationName BAD_USER_INPUT [decision V25]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  for (const method of ["PATCH", "DELETE"]) {
    const headers = { "content-type": "application/json", "x-ename": owner.ename, ...(await owner.at(owner.ename)) };
    const body = JSON.stringify({ publicKey: `z${LONG.slice(0, 1_000_000)}` });
    const answer = await ask(vault, "/public-key", { method, headers, body });
    assert.deepEqual([answer.status, answer.body.error.code], [400, "INVALID_PUBLIC_KEY"], method);
  }
  const named = JSON.stringify({ query: "query a { metaEnvelopes { totalCount } }", operationName: LONG });
  const headers = { "content-type": "application/json", "x-ename": owner.ename, ...(await owner.at(owner.ename)) };
  const answer = await ask(vault, "/graphql", { method: "POST", headers, body: named });
  assert.deepEqual([answer.status, answer.body.errors[0].extensions.code], [400, "BAD_USER_INPUT"]);
});
