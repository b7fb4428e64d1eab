import assert from "node:assert/strict";
import { test } from "node:test";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** Creates n MetaEnvelopes one after another and gives their ids in that order. */
async function createMany(vault: TestVault, owner: string, n: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < n; index += 1) ids.push(await create(vault, owner, { payload: { index } }));
  return ids;
}

async function page(vault: TestVault, owner: string, variables: object) {
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, variables);
  const { edges, pageInfo, totalCount } = body.data.metaEnvelopes;
  return { ids: edges.map((edge: { node: { id: string } }) => edge.node.id) as string[], edges, pageInfo, totalCount };
}

test("lists are in creation order; first with after pages forward to the end, each once [V-PAGE-001] [V-PAGE-010] [V-PAGE-021] [V-QRY-007] [V-QRY-008]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const ids = await createMany(vault, owner, 7);
  const met: string[] = [];
  let after: string | null = null;
  for (const [hasNextPage, hasPreviousPage] of [
    [true, false],
    [true, true],
    [false, true],
  ]) {
    const { ids: found, edges, pageInfo } = await page(vault, owner, { first: 3, after });
    met.push(...found);
    assert.deepEqual([pageInfo.hasNextPage, pageInfo.hasPreviousPage], [hasNextPage, hasPreviousPage]);
    assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [edges[0].cursor, edges.at(-1).cursor]);
    after = pageInfo.endCursor;
  }
  assert.deepEqual(met, ids);
});

test("last gives the newest, and last with before pages backward [V-PAGE-002] [V-PAGE-011]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const ids = await createMany(vault, owner, 7);
  const newest = await page(vault, owner, { last: 3 });
  assert.deepEqual(
    [newest.ids, newest.pageInfo.hasPreviousPage, newest.pageInfo.hasNextPage],
    [ids.slice(4), true, false],
  );
  const middle = await page(vault, owner, { last: 3, before: newest.pageInfo.startCursor });
  assert.deepEqual(
    [middle.ids, middle.pageInfo.hasPreviousPage, middle.pageInfo.hasNextPage],
    [ids.slice(1, 4), true, true],
  );
  const oldest = await page(vault, owner, { last: 3, before: middle.pageInfo.startCursor });
  assert.deepEqual([oldest.ids, oldest.pageInfo.hasPreviousPage], [ids.slice(0, 1), false]);
});

test("a page has 20 by default, and more than 100 is 100 [V-PAGE-012] [V-PAGE-013]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await Promise.all(Array.from({ length: 101 }, (_, n) => create(vault, owner, { payload: { n } })));
  assert.equal((await page(vault, owner, {})).ids.length, 20);
  assert.equal((await page(vault, owner, { first: 1_000_000 })).ids.length, 100);
  assert.equal((await page(vault, owner, { last: 101 })).ids.length, 100);
  assert.equal((await page(vault, owner, { first: null, after: null })).ids.length, 20);
});

for (const variables of [
  { first: 0 },
  { first: -1 },
  { last: 0 },
  { last: -5 },
  { first: 1, last: 1 },
  { first: 1, before: "x" },
  { last: 1, after: "x" },
  { after: "x", before: "x" },
]) {
  test(`${JSON.stringify(variables)} is INVALID_PAGINATION [V-PAGE-014] [V-PAGE-015]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const answer = await askGraphQL(vault, owner, DOCUMENTS.list, variables);
    assert.deepEqual([answer.status, errorCodeOf(answer)], [200, "INVALID_PAGINATION"]);
  });
}

test("a cursor works only in its own list: another owner, filter, list or any changed byte is BAD_CURSOR [V-PAGE-016] [V-PAGE-017] [T-08]", async () => {
  await using vault = await startVault();
  const [owner, other] = [await vault.createOwner(), await vault.createOwner()];
  const [id] = await createMany(vault, owner, 2);
  await createMany(vault, other, 2);
  const { pageInfo } = await page(vault, owner, { first: 1 });
  const cursor: string = pageInfo.endCursor;
  assert.equal((await page(vault, owner, { first: 1, after: cursor })).ids.length, 1);
  assert.equal(errorCodeOf(await askGraphQL(vault, other, DOCUMENTS.list, { after: cursor })), "BAD_CURSOR");
  const filter = { ontologyId: "note" };
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.list, { filter, after: cursor })), "BAD_CURSOR");
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.history, { id, after: cursor })), "BAD_CURSOR");
  for (let index = 0; index < cursor.length; index += 1) {
    const changed = `${cursor.slice(0, index)}${cursor[index] === "A" ? "B" : "A"}${cursor.slice(index + 1)}`;
    assert.equal(
      errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.list, { after: changed })),
      "BAD_CURSOR",
      changed,
    );
  }
  for (const made of [
    "",
    "0",
    "=",
    " ",
    "'; drop table vault; --",
    cursor.slice(0, -1),
    `${cursor}A`,
    "x".repeat(5000),
  ]) {
    assert.equal(errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.list, { after: made })), "BAD_CURSOR", made);
  }
});

test("totalCount is exact, whatever the page, and follows creates, moves and removals [V-PAGE-018] [V-PAGE-020] [V-QRY-009]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const ids = await createMany(vault, owner, 5);
  await create(vault, owner, { ontology: "other", payload: {} });
  const total = async (variables: object) => (await page(vault, owner, variables)).totalCount;
  assert.equal(await total({}), 6);
  assert.equal(await total({ first: 1 }), 6);
  assert.equal(await total({ filter: { ontologyId: "note" }, last: 2 }), 5);
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: ids[0] });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id: ids[1], input: { ontology: "other", payload: {} } });
  assert.equal(await total({ filter: { ontologyId: "note" } }), 3);
  assert.equal(await total({ filter: { ontologyId: "other" } }), 2);
  assert.equal(await total({ filter: { ontologyId: "none" } }), 0);
});

test("totalCount of another caller counts only what it may see [V-PAGE-018] [V-ARR-001]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const iat = Math.floor(Date.now() / 1000);
  const authorization = `Bearer ${vault.signAsRegistry({ platform: "p", iat, exp: iat + 600 })}`;
  const owner = await vault.createOwner();
  const input = { ontology: "note", payload: {} };
  await askGraphQL(vault, owner, DOCUMENTS.create, { input }, { authorization });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, {}, { authorization });
  assert.equal(body.data.metaEnvelopes.totalCount, 1);
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.list)), "UNAUTHENTICATED");
});

test("two owners' vaults in one process share nothing [V-SVC-019] [V-SVC-020] [V-SVC-021] [V-SVC-026] [V-DEC-003] [V-SVC-001] [T-22]", async () => {
  await using vault = await startVault();
  const [a, b] = [await vault.createOwner(), await vault.createOwner()];
  const [idOfA, idOfB] = [
    await create(vault, a, { payload: { of: "a" } }),
    await create(vault, b, { payload: { of: "b" } }),
  ];
  assert.deepEqual((await page(vault, a, {})).ids, [idOfA]);
  assert.deepEqual((await page(vault, b, { filter: { search: { term: "a" } } })).ids, []);
  assert.equal(
    (await askGraphQL(vault, a, DOCUMENTS.history, { id: idOfB })).body.data.metaEnvelopeHistory.totalCount,
    0,
  );
  assert.equal(
    (await askGraphQL(vault, a, DOCUMENTS.remove, { id: idOfB })).body.data.removeMetaEnvelope.success,
    false,
  );
});
