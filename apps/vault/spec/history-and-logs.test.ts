import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault } from "./support/start-vault.ts";

const ISO_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("every write appends a version, newest first, with the payload as it stood [V-VER-001] [V-VER-002] [V-VER-003] [V-VER-004] [V-VER-006] [V-VER-007] [V-VER-010] [V-VER-017] [V-VER-018] [V-QRY-011] [V-QRY-012] [V-SVC-009] [V-VER-008] [V-VER-009] [V-STATE-006] [V-STATE-010] [V-QRY-013]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { ontology: "one", payload: { a: 1 } });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "two", payload: { b: 2 } } });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id });
  const { edges, totalCount, pageInfo } = body.data.metaEnvelopeHistory;
  assert.equal(totalCount, 3);
  assert.deepEqual([pageInfo.hasNextPage, pageInfo.hasPreviousPage], [false, false]);
  const nodes = edges.map(({ node: { createdAt, ...node } }: { node: { createdAt: string } }) => {
    assert.match(createdAt, ISO_MS);
    return node;
  });
  const common = { metaEnvelopeId: id, requestingPlatform: null, author: null, restoredFromVersion: null };
  assert.deepEqual(nodes, [
    { ...common, version: 3, operation: "delete", ontology: "two", parsed: null },
    { ...common, version: 2, operation: "update", ontology: "two", parsed: { a: 1, b: 2 } },
    { ...common, version: 1, operation: "create", ontology: "one", parsed: { a: 1 } },
  ]);
});

test("history pages by cursor, and a cursor of another record's history is BAD_CURSOR [V-PAGE-022] [V-PAGE-017]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const [id, other] = [await create(vault, owner, { payload: {} }), await create(vault, owner, { payload: {} })];
  for (let n = 0; n < 4; n += 1) {
    await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "note", payload: { n } } });
  }
  const versions: number[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id, first: 2, after });
    const { edges, pageInfo } = body.data.metaEnvelopeHistory;
    versions.push(...edges.map((edge: { node: { version: number } }) => edge.node.version));
    after = pageInfo.endCursor;
    more = pageInfo.hasNextPage;
  }
  assert.deepEqual(versions, [5, 4, 3, 2, 1]);
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id, first: 1 });
  const after = body.data.metaEnvelopeHistory.pageInfo.endCursor;
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.history, { id: other, after })), "BAD_CURSOR");
});

test("history of an unknown id is an empty connection with totalCount 0 [decision V13] [V-DEC-588]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id: "unknown" });
  assert.deepEqual([body.data.metaEnvelopeHistory.edges, body.data.metaEnvelopeHistory.totalCount], [[], 0]);
});

test("GET /logs has one entry per write, newest first, each with its hash [V-LOG-001] [V-LOG-002] [V-LOG-003] [V-LOG-004] [V-LOG-005] [V-LOG-006] [V-LOG-007] [V-LOG-010] [V-LOG-011] [V-LOG-012] [V-DEC-520] [V-DEC-521] [V-DEC-522] [V-DEC-526] [V-HTTP-008]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { ontology: "o1", payload: { b: 1, a: "x" } });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "o1", payload: { c: [1] } } });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  const { status, body } = await ask(vault, "/logs", { headers: { "x-ename": owner } });
  assert.equal(status, 200);
  assert.deepEqual([body.hasMore, body.nextCursor], [false, null]);
  const common = { eName: owner, metaEnvelopeId: id, platform: null, author: null, ontology: "o1" };
  const entries = body.logs.map(({ id: logId, timestamp, ...entry }: { id: string; timestamp: string }) => {
    assert.match(timestamp, ISO_MS);
    assert.equal(typeof logId, "string");
    return entry;
  });
  assert.deepEqual(entries, [
    { ...common, operation: "delete", envelopeHash: sha256(`{"id":"${id}"}`) },
    { ...common, operation: "update", envelopeHash: sha256(`{"id":"${id}","ontology":"o1","payload":{"c":[1]}}`) },
    {
      ...common,
      operation: "create",
      envelopeHash: sha256(`{"id":"${id}","ontology":"o1","payload":{"b":1,"a":"x"}}`),
    },
  ]);
});

test("GET /logs pages by limit and cursor: 20 by default, at most 100, a cursor is URL-safe [V-LIM-001] [V-LIM-002] [V-HTTP-009] [V-HTTP-010] [V-HTTP-011] [V-HTTP-012] [V-HTTP-013] [V-DEC-525]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await Promise.all(Array.from({ length: 105 }, (_, n) => create(vault, owner, { payload: { n } })));
  const page = async (query: string) => (await ask(vault, `/logs${query}`, { headers: { "x-ename": owner } })).body;
  assert.equal((await page("")).logs.length, 20);
  const first = await page("?limit=500");
  assert.equal(first.logs.length, 100);
  assert.match(first.nextCursor, /^[A-Za-z0-9_-]+$/);
  const second = await page(`?limit=100&cursor=${first.nextCursor}`);
  assert.deepEqual([second.logs.length, second.hasMore, second.nextCursor], [5, false, null]);
  const encoded = Buffer.from(first.nextCursor).toString("hex").replaceAll(/../g, "%$&");
  assert.deepEqual(await page(`?limit=100&cursor=${encoded}`), second);
  const ids = [...first.logs, ...second.logs].map((entry: { id: string }) => entry.id);
  assert.equal(new Set(ids).size, 105);
  assert.deepEqual(ids, ids.toSorted().toReversed());
});

for (const [query, code] of [
  ["?limit=0", "INVALID_PAGINATION"],
  ["?limit=-1", "INVALID_PAGINATION"],
  ["?limit=ten", "INVALID_PAGINATION"],
  ["?limit=1.5", "INVALID_PAGINATION"],
  ["?limit=1&limit=2", "INVALID_PAGINATION"],
  ["?cursor=", "BAD_CURSOR"],
  ["?cursor=abc", "BAD_CURSOR"],
  ["?cursor=a&cursor=b", "BAD_CURSOR"],
] as const) {
  test(`GET /logs${query} is 400 ${code} [V-PAGE-024]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const { status, body } = await ask(vault, `/logs${query}`, { headers: { "x-ename": owner } });
    assert.deepEqual([status, body.error.code], [400, code]);
  });
}

test("GET /logs shows another caller only the entries of what it may read [V-DEC-527] [V-DEC-528]", async () => {
  await using vault = await startVault({ auth: "enforced", legacyTokens: "read-only" });
  const owner = await vault.createOwner();
  const iat = Math.floor(Date.now() / 1000);
  const token = vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 });
  const { status, body } = await ask(vault, "/logs", {
    headers: { "x-ename": owner, authorization: `Bearer ${token}` },
  });
  assert.deepEqual([status, body.logs], [200, []]);
  assert.equal((await ask(vault, "/logs", { headers: { "x-ename": owner } })).status, 401);
});

test("writes of one millisecond stand in the log in the order in which they were made [V-DEC-526]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const alias = (n: number) =>
    `o${n}: createMetaEnvelope(input: {ontology: "note", payload: {n: ${n}}}) { metaEnvelope { id } }`;
  const made: string[] = [];
  for (let request = 0; request < 5; request += 1) {
    const { body } = await askGraphQL(
      vault,
      owner,
      `mutation { ${Array.from({ length: 10 }, (_, n) => alias(n)).join(" ")} }`,
    );
    for (let n = 0; n < 10; n += 1) made.push(body.data[`o${n}`].metaEnvelope.id);
  }
  const { body } = await ask(vault, "/logs?limit=100", { headers: { "x-ename": owner } });
  const logged = body.logs.map((entry: { metaEnvelopeId: string }) => entry.metaEnvelopeId);
  assert.deepEqual(logged.toReversed(), made);
});
