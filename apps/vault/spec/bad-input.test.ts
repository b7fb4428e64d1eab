import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf, refusalOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** Sends a create whose payload stands in the JSON as the given text, as a variable. */
function createAsVariable(vault: TestVault, owner: string, payloadJson: string) {
  const body = `{"query":${JSON.stringify(DOCUMENTS.create)},"variables":{"input":{"ontology":"o","payload":${payloadJson}}}}`;
  return ask(vault, "/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", "x-ename": owner },
    body,
  });
}

/** Sends a create whose payload is a literal of the GraphQL document. */
function createAsLiteral(vault: TestVault, owner: string, literal: string) {
  const query = `mutation { createMetaEnvelope(input: { ontology: "o", payload: ${literal} }) { errors { field message code } } }`;
  return askGraphQL(vault, owner, query);
}

/** Nothing was written, and the vault still writes and reads. */
async function assertUnharmed(vault: TestVault, owner: string): Promise<void> {
  const { rows } = await vault.database.query<{ n: number }>({ text: "select count(*) as n from change", values: [] });
  assert.equal(rows[0]?.n, 0);
  const id = await create(vault, owner, { payload: { still: "serving" } });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  assert.deepEqual(body.data.metaEnvelope.parsed, { still: "serving" });
}

const REFUSED: readonly [what: string, variable: string, literal: string | undefined, code: string, field: string][] = [
  ["U+0000 in a value", '{"a":{"b":["x\\u0000"]}}', '{ a: { b: ["x\\u0000"] } }', "INVALID_TEXT", "payload.a.b[0]"],
  ["an unpaired surrogate in a value", '{"a":"\\ud800"}', undefined, "INVALID_TEXT", "payload.a"],
  ["an unpaired surrogate in a key", '{"a":{"\\udc00":1}}', undefined, "INVALID_TEXT", "payload.a"],
  ["U+0000 in a key", '{"\\u0000":1}', undefined, "INVALID_TEXT", "payload"],
  [
    "a number beyond doubles",
    '{"a":{"b":[1,1e400]}}',
    "{ a: { b: [1, 1e400] } }",
    "NUMBER_PRECISION",
    "payload.a.b[1]",
  ],
  ["a negative number beyond doubles", '{"a":-1e400}', "{ a: -1e400 }", "NUMBER_PRECISION", "payload.a"],
  ["a number that vanishes", '{"a":1e-400}', "{ a: 1e-400 }", "NUMBER_PRECISION", "payload.a"],
  [
    "a whole number that a double changes",
    '{"a":9007199254740993}',
    "{ a: 9007199254740993 }",
    "NUMBER_PRECISION",
    "payload.a",
  ],
  [
    "a negative whole number that a double changes",
    '{"a":[-9007199254740993]}',
    "{ a: [-9007199254740993] }",
    "NUMBER_PRECISION",
    "payload.a[0]",
  ],
  [
    "the key __proto__",
    '{"a":{"__proto__":{"admin":true}}}',
    "{ a: { __proto__: { admin: true } } }",
    "INVALID_KEY",
    "payload.a",
  ],
  ["an array for a payload", "[1]", "[1]", "BAD_USER_INPUT", "payload"],
  ["a text for a payload", '"text"', '"text"', "BAD_USER_INPUT", "payload"],
  ["a number for a payload", "1", "1", "BAD_USER_INPUT", "payload"],
];
for (const [what, variable, literal, code, field] of REFUSED) {
  test(`${what} is ${code} at ${field}, as a variable and as a literal, and nothing is written [V-DEC-462] [V-DEC-463] [V-DEC-464] [V-DEC-465] [V-DEC-466] [V-DEC-468] [V-DEC-471] [V-DEC-472]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const answers = [await createAsVariable(vault, owner, variable)];
    if (literal !== undefined) answers.push(await createAsLiteral(vault, owner, literal));
    for (const answer of answers) assert.deepEqual([refusalOf(answer).code, refusalOf(answer).field], [code, field]);
    await assertUnharmed(vault, owner);
  });
}

for (const depth of [65, 7_000, 10_000, 25_000]) {
  test(`a payload nested ${depth} deep is PAYLOAD_TOO_LARGE, as arrays and as objects, and the vault goes on serving [V-DEC-469]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const arrays = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const objects = `${'{"a":'.repeat(depth)}1e400${"}".repeat(depth)}`;
    for (const json of [arrays, objects]) {
      const { code, field } = refusalOf(await createAsVariable(vault, owner, json));
      assert.deepEqual([code, field], ["PAYLOAD_TOO_LARGE", "payload"]);
    }
    await assertUnharmed(vault, owner);
  });
}

test("a literal nested 65 deep is PAYLOAD_TOO_LARGE, and one of more tokens than a document may have is refused unread [V-DEC-472] [V-DEC-371]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const nested = (depth: number) => `${"{ a: ".repeat(depth)}1${" }".repeat(depth)}`;
  assert.equal(refusalOf(await createAsLiteral(vault, owner, nested(65))).code, "PAYLOAD_TOO_LARGE");
  const tooLong = await createAsLiteral(vault, owner, nested(7_000));
  assert.deepEqual([tooLong.status, errorCodeOf(tooLong)], [400, "GRAPHQL_LIMIT_EXCEEDED"]);
  await assertUnharmed(vault, owner);
});

test("of duplicate keys in a request the last counts, and keys of Object's own are data [V-DEC-474] [T-11] [T-14]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const { body } = await createAsVariable(vault, owner, '{"a":1,"a":2,"constructor":{"prototype":{"x":1}}}');
  assert.deepEqual(body.data.createMetaEnvelope.metaEnvelope.parsed, { a: 2, constructor: { prototype: { x: 1 } } });
  assert.equal((Object.prototype as { x?: unknown }).x, undefined);
});

const ACLS: readonly [string, unknown][] = [
  ["something that is not an eName", ["alice"]],
  ["an empty entry", [""]],
  ["257 entries", Array.from({ length: 257 }, () => "*")],
];
for (const [what, acl] of ACLS) {
  test(`an acl with ${what} is INVALID_ACL [decision V12] [V-DEC-568] [V-DEC-569]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const answer = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: "o", payload: {}, acl } });
    assert.equal(refusalOf(answer).code, "INVALID_ACL");
    await assertUnharmed(vault, owner);
  });
}

test("binding documents are not written by the ordinary mutations: USE_BINDING_DOCUMENT_MUTATION [decision V14]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const ontology = "b1d0a8c3-4e5f-6789-0abc-def012345678";
  const id = await create(vault, owner, { payload: { a: 1 } });
  for (const answer of [
    await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology, payload: {} } }),
    await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology, payload: {} } }),
  ]) {
    assert.equal(refusalOf(answer).code, "USE_BINDING_DOCUMENT_MUTATION");
  }
});

test("an id with U+0000 is INVALID_TEXT, as a GraphQL error of a query and in the errors of a mutation [V-DEC-473]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const query of [DOCUMENTS.read, DOCUMENTS.history]) {
    assert.equal(errorCodeOf(await askGraphQL(vault, owner, query, { id: "a\u0000" })), "INVALID_TEXT");
  }
  assert.equal(refusalOf(await askGraphQL(vault, owner, DOCUMENTS.remove, { id: "a\u0000" })).code, "INVALID_TEXT");
});

test("texts that are code elsewhere are only text here, and no answer shows where they went [decision V2] [T-16] [T-17]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const text of ["'; drop table change; --", '"', "{{x}}", "<script>", "../../etc/passwd", "$1", "\\", "%00"]) {
    const id = await create(vault, owner, { ontology: text, payload: { [text]: text } });
    const answers = [
      await askGraphQL(vault, owner, DOCUMENTS.read, { id }),
      await askGraphQL(vault, owner, DOCUMENTS.list, {
        filter: { ontologyId: text, search: { term: text, fields: [text] } },
      }),
      await askGraphQL(vault, owner, DOCUMENTS.read, { id: text }),
    ];
    assert.deepEqual(answers[0]!.body.data.metaEnvelope.parsed, { [text]: text });
    assert.equal(answers[1]!.body.data.metaEnvelopes.totalCount, 1);
    for (const { body } of answers) assert.doesNotMatch(JSON.stringify(body), /SQLSTATE|node_modules|\bat .*\.ts/);
  }
});

test("a text that a compiler would take for code stays text, however often its document comes [T-16]", async () => {
  await using vault = await startVault({ compileFrom: 1 });
  const owner = await vault.createOwner();
  // The mark by which graphql-jit 0.8.9 tells a date among the values it writes into code.
  const text = "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.compiled = true";
  const query = `mutation { createMetaEnvelope(input: { ontology: "o", payload: { a: "${text}" } }) { metaEnvelope { parsed } } }`;
  for (let execution = 0; execution < 3; execution += 1) {
    const { body } = await askGraphQL(vault, owner, query);
    assert.deepEqual(body.data.createMetaEnvelope.metaEnvelope.parsed, { a: text });
  }
  const list = `{ metaEnvelopes(filter: { ontologyId: "${text}" }) { edges { node { id } } } }`;
  for (let execution = 0; execution < 3; execution += 1) {
    assert.deepEqual((await askGraphQL(vault, owner, list)).body.data.metaEnvelopes.edges, []);
  }
  assert.equal((globalThis as { compiled?: unknown }).compiled, undefined);
});
