import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "@dataspace/service-kit/log";
import { measureLoopHolds } from "@dataspace/service-kit/testing/loop-holds";
import { createExecuteRequest } from "../src/graphql/execute.ts";
import { createPrepareDocument } from "../src/graphql/prepare-document.ts";
import { buildVaultSchema } from "../src/graphql/schema.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { platformHeaders } from "./support/people.ts";
import { startVault } from "./support/start-vault.ts";

const FIELD = "metaEnvelopes { totalCount }";
const alias = (n: number) => `a${n}: __typename`;
const fields = (count: number) => Array.from({ length: count }, (_, n) => alias(n)).join(" ");
const repeated = (count: number) => Array(count).fill("__typename").join(" ");

const ELEVEN_FIELDS: Readonly<Record<string, string>> = {
  "a fragment": `{ ...F } fragment F on Query { ${repeated(11)} }`,
  "a fragment spread twice": `{ ...F ...F } fragment F on Query { ${repeated(6)} }`,
  "nested fragments": `{ ...F } fragment F on Query { ...G ${repeated(5)} } fragment G on Query { ${repeated(6)} }`,
  "an inline fragment": `{ ... on Query { ${repeated(11)} } }`,
  "nested inline fragments": `{ ... { ... on Query { ... { ${repeated(11)} } } } }`,
  "aliases and fields beside a fragment": `{ ${fields(6)} ...F } fragment F on Query { ${repeated(5)} }`,
};

test("ten root fields are the most through fragments too, of whatever kind [decision V2]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const [name, document] of Object.entries(ELEVEN_FIELDS)) {
    const answer = await askGraphQL(vault, owner, document);
    assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "GRAPHQL_LIMIT_EXCEEDED"], name);
  }
  const ten = await askGraphQL(vault, owner, `{ ${fields(4)} ...F } fragment F on Query { ${repeated(5)} ${FIELD} }`);
  assert.equal(ten.status, 200);
});

test("names that plain objects obey are refused or served, in every execution, compiled or not [decision V2]", async () => {
  await using vault = await startVault({ compileFrom: 2 });
  const owner = await vault.createOwner();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"]) {
    const documents = [
      `query ($${name}: ID!) { metaEnvelope(id: $${name}) { id } }`,
      `query ${name} { ${FIELD} }`,
      `{ ${name}: ${FIELD} }`,
      `{ ...${name} } fragment ${name} on Query { ${FIELD} }`,
    ];
    for (const document of documents) {
      for (const _ of [1, 2, 3]) {
        const { status } = await askGraphQL(vault, owner, document, { [name]: "a" });
        assert.equal(status, name === "__proto__" ? 400 : 200, document);
      }
    }
  }
});

test("a list variable of wrong items is refused with few errors in every execution, and holds the event loop no longer [decision V25]", async () => {
  await using vault = await startVault({ compileFrom: 2 });
  const owner = await vault.createOwner();
  const query =
    "mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount } }";
  const good = [{ ontology: "o", payload: {} }];
  for (const _ of [1, 2, 3]) assert.equal((await askGraphQL(vault, owner, query, { inputs: good })).status, 200);
  const inputs = Array(400_000).fill(7);
  const holds = measureLoopHolds();
  const answer = await askGraphQL(vault, owner, query, { inputs });
  const longestMs = holds.end();
  assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "BAD_USER_INPUT"]);
  assert.equal(answer.body.errors.length <= 21, true, String(answer.body.errors.length));
  // It was 3.3 s; V25 allows 60 ms, and this machine may be loaded.
  assert.ok(longestMs < 600, `${longestMs} ms`);
});

test("names of operations that a document does not have leave nothing behind [decision V25]", async () => {
  const schema = buildVaultSchema();
  const prepare = createPrepareDocument(schema, { introspection: true });
  const log = createLog({ service: "test", level: "silent", pretty: false });
  const execute = createExecuteRequest({ schema, prepare, log, compileFrom: 2 });
  const query = "query Known { __typename }";
  const run = (operationName: string | undefined) => execute({ query, variables: undefined, operationName }, {});
  assert.equal((await run("Known")).status, 200);
  const sizeOf = () => JSON.stringify(prepare(query)).length;
  const before = sizeOf();
  for (let n = 0; n < 100; n += 1) {
    const { status, body } = await run(`${n}`.padEnd(100_000, "x"));
    assert.equal(status, 400);
    assert.ok(JSON.stringify(body).length < 1_000);
  }
  assert.ok(sizeOf() - before < 10, `${sizeOf() - before}`);
  assert.deepEqual(Object.keys(prepare(query)).toSorted(), ["compilable", "document", "executions"]);
  assert.equal((await run(undefined)).status, 200);
  assert.equal((await run("Known")).status, 200);
});

test("a keyed bulk whose item id is a code is answered and stored like any other [decision V26]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const query = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) {
    bulkCreateMetaEnvelopes(inputs: $inputs) { errors: results { code: id message: error } successCount } }`;
  for (const id of ["INTERNAL_ERROR", "STORAGE_FULL", "NO_CODE", "constructor"]) {
    const asked = () =>
      askGraphQL(
        vault,
        owner,
        query,
        { inputs: [{ id, ontology: "o", payload: {} }] },
        { "idempotency-key": id, ...platformHeaders(vault) },
      );
    const first = await asked();
    assert.deepEqual([first.status, first.body.data?.bulkCreateMetaEnvelopes.successCount], [200, 1], id);
    assert.deepEqual((await asked()).body, first.body);
  }
});

test("hostile bodies are refused by the vault within V25's bound: escaped quotes after a large number, many arrays [decision V25]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const bodies = [`[1e400,"${'\\"'.repeat(65_536)}`, `[${"[],".repeat(349_000)}[]]`];
  for (const body of bodies) {
    const holds = measureLoopHolds();
    const headers = { "content-type": "application/json", "x-ename": owner };
    const { status } = await ask(vault, "/graphql", { method: "POST", headers, body });
    const longestMs = holds.end();
    assert.ok([400, 413].includes(status), String(status));
    assert.ok(longestMs < 500, `${longestMs} ms`);
  }
});

test("a create is compiled and refused alike: faulty variables are BAD_USER_INPUT before and after [decision V2]", async () => {
  await using vault = await startVault({ compileFrom: 2 });
  const owner = await vault.createOwner();
  for (const _ of [1, 2, 3]) {
    const answer = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: 7 } });
    assert.deepEqual([answer.status, errorCodeOf(answer)], [400, "BAD_USER_INPUT"]);
  }
});
