import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

function post(vault: TestVault, owner: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") {
  return ask(vault, "/graphql", { method: "POST", headers: { "content-type": type, "x-ename": owner }, body });
}

const NO_REQUESTS: readonly [string, string][] = [
  ["nothing", ""],
  ["no JSON", "{"],
  ["a comment", '{"query":"{__typename}"} // x'],
  ["a trailing comma", '{"query":"{__typename}",}'],
  ["a byte order mark", '\uFEFF{"query":"{__typename}"}'],
  ["null", "null"],
  ["a text", '"{ __typename }"'],
  ["a batch", '[{"query":"{__typename}"},{"query":"{__typename}"}]'],
  ["no query", '{"variables":{}}'],
  ["a query that is not text", '{"query":1}'],
  ["variables that are a list", '{"query":"{__typename}","variables":[]}'],
  ["variables that are a text", '{"query":"{__typename}","variables":"{}"}'],
  ["an operationName that is not text", '{"query":"{__typename}","operationName":{}}'],
];
for (const [what, body] of NO_REQUESTS) {
  test(`a body that is ${what} is 400 BAD_REQUEST, as error and as errors [V-DEC-372] [V-DEC-366] [V-DEC-374]`, async () => {
    await using vault = await startVault();
    const answer = await post(vault, await vault.createOwner(), body);
    assert.deepEqual([answer.status, answer.body.error.code, errorCodeOf(answer)], [400, "BAD_REQUEST", "BAD_REQUEST"]);
  });
}

test("a body that is not UTF-8 is 400 BAD_REQUEST [decision V7]", async () => {
  await using vault = await startVault();
  const bytes = Buffer.concat([Buffer.from('{"query":"{__typename} #'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  const answer = await post(vault, await vault.createOwner(), new Uint8Array(bytes));
  assert.deepEqual([answer.status, answer.body.error.code], [400, "BAD_REQUEST"]);
});

for (const type of [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/graphql",
  "application/json; charset=latin1",
  "",
]) {
  test(`a body of type "${type}" is 415 and runs nothing, so no form of another page can write [T-05]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const query = 'mutation { createMetaEnvelope(input: { ontology: "o", payload: {} }) { errors { code } } }';
    const answer = await post(vault, owner, new TextEncoder().encode(JSON.stringify({ query })), type);
    assert.deepEqual([answer.status, answer.body.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
    const { rows } = await vault.database.query<{ n: number }>({
      text: "select count(*) as n from change",
      values: [],
    });
    assert.equal(rows[0]?.n, 0);
  });
}

test("a compressed body is 415, and application/json with its charset is served", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const headers = { "content-type": "application/json; charset=UTF-8", "x-ename": owner };
  const body = '{"query":"{ __typename }"}';
  assert.deepEqual((await ask(vault, "/graphql", { method: "POST", headers, body })).body, {
    data: { __typename: "Query" },
  });
  const zipped = await ask(vault, "/graphql", {
    method: "POST",
    headers: { ...headers, "content-encoding": "gzip" },
    body,
  });
  assert.deepEqual([zipped.status, zipped.body.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
});

test("GET /graphql is 405 and an unknown path 404, each with a code [V-QRY-002]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const get = await ask(vault, "/graphql?query={__typename}", { headers: { "x-ename": owner } });
  assert.deepEqual([get.status, get.body.error.code], [405, "METHOD_NOT_ALLOWED"]);
  const none = await ask(vault, "/nothing", { headers: { "x-ename": owner } });
  assert.deepEqual([none.status, none.body.error.code], [404, "NOT_FOUND"]);
});

test("a document that does not parse is 400 GRAPHQL_PARSE_FAILED, one that does not validate GRAPHQL_VALIDATION_FAILED without a suggestion [V-DEC-368] [V-DEC-369] [V-DEC-374]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const unparsed = await askGraphQL(vault, owner, "{ metaEnvelope(");
  assert.deepEqual([unparsed.status, errorCodeOf(unparsed)], [400, "GRAPHQL_PARSE_FAILED"]);
  const invalid = await askGraphQL(vault, owner, "{ metaEnvelop { id } }");
  assert.deepEqual([invalid.status, errorCodeOf(invalid)], [400, "GRAPHQL_VALIDATION_FAILED"]);
  assert.doesNotMatch(JSON.stringify(invalid.body), /Did you mean/);
});

test("a subscription, of which there are none, is 400 GRAPHQL_VALIDATION_FAILED and no fault of ours [V-DEC-369] [T-03]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const query of ["subscription { a }", "subscription S { __typename }", "{ __typename } subscription S { a }"]) {
    const answer = await askGraphQL(vault, owner, query);
    assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "GRAPHQL_VALIDATION_FAILED"]);
  }
});

for (const variables of [
  {},
  { input: null },
  { input: { ontology: 1, payload: {} } },
  { input: { ontology: "o" } },
  { input: { ontology: "o", payload: {}, extra: 1 } },
]) {
  test(`variables ${JSON.stringify(variables)} are 400 BAD_USER_INPUT, compiled and not [V-DEC-370]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    for (let execution = 0; execution < 4; execution += 1) {
      const answer = await askGraphQL(vault, owner, DOCUMENTS.create, variables);
      assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "BAD_USER_INPUT"]);
    }
  });
}

test("operationName chooses the operation, and one that is not there is refused, compiled and not", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const query = "query A { a: __typename } query B { b: __typename }";
  for (let execution = 0; execution < 4; execution += 1) {
    for (const [operationName, data] of [
      ["A", { a: "Query" }],
      ["B", { b: "Query" }],
    ] as const) {
      assert.deepEqual((await post(vault, owner, JSON.stringify({ query, operationName }))).body, { data });
    }
    for (const operationName of ["C", "", undefined]) {
      const answer = await post(vault, owner, JSON.stringify({ query, operationName }));
      assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "BAD_USER_INPUT"], String(operationName));
    }
  }
});

const f = (n: number, text: (index: number) => string) =>
  Array.from({ length: n }, (_, index) => text(index)).join(" ");
const ints = (n: number) =>
  `mutation { createMetaEnvelope(input: { ontology: "o", payload: { a: [${f(n, String)}] } }) { errors { code } } }`;
const LIMITS: readonly [what: string, within: string, beyond: string][] = [
  ["10 root fields", `{ ${f(10, () => "__typename")} }`, `{ ${f(11, () => "__typename")} }`],
  [
    "15 aliases",
    `{ metaEnvelope(id: "x") { ${f(15, (n) => `a${n}: id`)} } }`,
    `{ metaEnvelope(id: "x") { ${f(16, (n) => `a${n}: id`)} } }`,
  ],
  [
    "10 directives",
    `{ metaEnvelope(id: "x") { ${f(10, () => "id @include(if: true)")} } }`,
    `{ metaEnvelope(id: "x") { ${f(11, () => "id @include(if: true)")} } }`,
  ],
  ["1,000 tokens", ints(900), ints(1_000)],
];
for (const [what, within, beyond] of LIMITS) {
  test(`a document may have ${what} and no more: 400 GRAPHQL_LIMIT_EXCEEDED [V-DEC-371]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    assert.equal((await askGraphQL(vault, owner, within)).status, 200);
    const answer = await askGraphQL(vault, owner, beyond);
    assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "GRAPHQL_LIMIT_EXCEEDED"]);
  });
}

test("fragments hide neither depth nor width, and circular ones end [V-DEC-371]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const wide = `{ metaEnvelope(id: "x") { ${f(6, () => "...F")} } } fragment F on MetaEnvelope { a: id b: id c: id }`;
  const circular = `{ metaEnvelope(id: "x") { ...A } } fragment A on MetaEnvelope { ...B } fragment B on MetaEnvelope { ...A }`;
  const deep = `{ metaEnvelopes { edges { node { envelopes { value ${"{ a ".repeat(8)}${"}".repeat(8)} } } } } }`;
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, wide)), "GRAPHQL_LIMIT_EXCEEDED");
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, circular)), "GRAPHQL_VALIDATION_FAILED");
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, deep)), "GRAPHQL_LIMIT_EXCEEDED");
});

test("a hundred hostile documents are refused with small answers, and the vault goes on serving [T-01]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const hostile = [
    `{ ${f(500, () => "nothing")} }`,
    `{ metaEnvelope(id: "x") { ${f(900, () => "id")} } }`,
    `{ metaEnvelope(id: "x") { ${f(900, (n) => `f${n}`)} } }`,
    `query ${"@x ".repeat(500)} { __typename }`,
    `{ ${"a { ".repeat(5_000)}`,
    `{ a(b: ${"[".repeat(5_000)}`,
    `{ a(b: "${"x".repeat(100_000)}") }`,
    `fragment ${"x".repeat(50_000)} on Y { z }`,
    "\u0000",
    "#".repeat(100_000),
    '"""',
    "{ a(b: 1e999999999) }",
  ];
  for (const query of hostile) {
    for (const answer of await Promise.all(Array.from({ length: 10 }, () => askGraphQL(vault, owner, query)))) {
      assert.equal(answer.status, 400);
      assert.ok(JSON.stringify(answer.body).length <= 16_384);
      assert.match(errorCodeOf(answer), /^GRAPHQL_/);
    }
  }
  await create(vault, owner, { payload: { still: "serving" } });
});

test("introspection and its depth are served where it is on, and refused where it is off [T-03]", async () => {
  const deep =
    `{ __schema { types { ${"fields { type { ofType { ".repeat(3)} name ${"} } }".repeat(3)} } } }`.replaceAll(
      "ofType {  name",
      "ofType { name",
    );
  const query =
    "{ __schema { queryType { fields { type { ofType { ofType { ofType { ofType { ofType { name } } } } } } } } } }";
  await using on = await startVault({ introspection: true });
  assert.equal((await askGraphQL(on, await on.createOwner(), query)).status, 200);
  assert.notEqual(errorCodeOf(await askGraphQL(on, await on.createOwner(), deep)), "GRAPHQL_LIMIT_EXCEEDED");
  await using off = await startVault({ introspection: false });
  assert.equal(errorCodeOf(await askGraphQL(off, await off.createOwner(), query)), "GRAPHQL_VALIDATION_FAILED");
});

test("a fault of ours is INTERNAL_ERROR without its cause; a storage that is gone is 503 STORAGE_UNAVAILABLE [V-ERR-014] [T-17]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await vault.database.query({ text: "alter table change rename to changed", values: [] });
  const answer = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: "o", payload: {} } });
  assert.deepEqual([answer.status, errorCodeOf(answer)], [200, "INTERNAL_ERROR"]);
  assert.doesNotMatch(JSON.stringify(answer.body), /relation|change"/);
});
