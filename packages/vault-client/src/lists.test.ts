import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toBatches } from "./bulk-batches.ts";
import { eachNode, type PageArguments } from "./each-node.ts";
import { createTestClient, sendJson, startTestVault } from "./testing/test-vault.ts";
import type { PageInfo } from "./vault-schema.ts";

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** A list of numbers as a vault pages it. */
function pagesOf(numbers: readonly number[]) {
  return async (page: PageArguments) => {
    const isForward = "first" in page;
    const from = isForward
      ? Number(page.after ?? -1) + 1
      : Math.max(0, Number(page.before ?? numbers.length) - page.last);
    const to = isForward ? from + page.first : Number(page.before ?? numbers.length);
    const part = numbers.slice(from, to);
    const pageInfo: PageInfo = {
      hasNextPage: to < numbers.length,
      hasPreviousPage: from > 0,
      startCursor: part.length === 0 ? null : `${from}`,
      endCursor: part.length === 0 ? null : `${from + part.length - 1}`,
    };
    return { edges: part.map((node) => ({ node })), pageInfo };
  };
}

test("every list of every length is read whole in both directions, for any page size", async () => {
  const lengths = fc.record({ length: fc.integer({ min: 0, max: 40 }), pageSize: fc.integer({ min: 1, max: 12 }) });
  await fc.assert(
    fc.asyncProperty(lengths, async ({ length, pageSize }) => {
      const numbers = Array.from({ length }, (_, number) => number);
      assert.deepEqual(await collect(eachNode(pagesOf(numbers), { pageSize })), numbers);
      assert.deepEqual(await collect(eachNode(pagesOf(numbers), { pageSize, backward: true })), numbers.toReversed());
    }),
  );
});

test("a reader who stops asks for no further page", async () => {
  let pages = 0;
  const readPage = pagesOf(Array.from({ length: 100 }, (_, number) => number));
  const counted = (page: PageArguments) => {
    pages += 1;
    return readPage(page);
  };
  for await (const number of eachNode(counted, { pageSize: 10 })) if (number === 14) break;
  assert.equal(pages, 2);
});

test("a list that does not go on, or is not a list, is refused", async () => {
  const pageInfo = { hasNextPage: true, hasPreviousPage: true, startCursor: "same", endCursor: "same" };
  const endless = async () => ({ edges: [{ node: 1 }], pageInfo });
  const empty = async () => ({ edges: [], pageInfo });
  const cursorless = async () => ({ edges: [{ node: 1 }], pageInfo: { ...pageInfo, endCursor: null } });
  for (const readPage of [endless, empty, cursorless]) {
    await assert.rejects(collect(eachNode(readPage)), { code: "INVALID_ANSWER" });
  }
  await using server = await startTestVault((_request, response) =>
    sendJson(response, { data: { metaEnvelopes: {} } }),
  );
  await assert.rejects(createTestClient(server.url).vault.list().next(), { code: "INVALID_ANSWER" });
});

test("items are divided in order, by number and by size, and none is lost", async () => {
  const many = Array.from({ length: 2_500 }, (_, number) => number);
  const byNumber = await collect(toBatches(many));
  assert.deepEqual(
    byNumber.map(({ number, items }) => [number, items.length]),
    [
      [0, 1_000],
      [1, 1_000],
      [2, 500],
    ],
  );
  assert.deepEqual(
    byNumber.flatMap(({ items }) => items),
    many,
  );
  const large = ["a".repeat(3_000_000), "b".repeat(3_000_000), "c".repeat(9_000_000), "d"];
  assert.deepEqual(
    (await collect(toBatches(large))).map(({ items }) => items.length),
    [1, 1, 1, 1],
  );
  assert.deepEqual(await collect(toBatches([])), []);
});

test("a bulk tells what became of each item, and sends its batches under keys of their own", async () => {
  await using server = await startTestVault(({ body }, response) => {
    const { inputs } = (JSON.parse(body) as { variables: { inputs: readonly { readonly id: string }[] } }).variables;
    const results = inputs.map(({ id }) => {
      const error = id === "1200" ? "ID_EXISTS: The owner has this id: try another." : null;
      return { id, success: error === null, error };
    });
    sendJson(response, { data: { bulkCreateMetaEnvelopes: { results, successCount: 0, errorCount: 0, errors: [] } } });
  });
  const { vault } = createTestClient(server.url);
  const inputs = Array.from({ length: 1_500 }, (_, id) => ({ id: `${id}`, ontology: "note-v1", payload: {} }));
  const outcomes = await collect(vault.createMany(inputs, { idempotencyKey: "import-7" }));
  assert.deepEqual(
    outcomes.map(({ index }) => index),
    inputs.map((_, index) => index),
  );
  assert.deepEqual(outcomes[1_200], {
    index: 1_200,
    id: "1200",
    success: false,
    code: "ID_EXISTS",
    message: "The owner has this id: try another.",
  });
  assert.deepEqual(outcomes[0], { index: 0, id: "0", success: true, code: undefined, message: undefined });
  const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
  assert.deepEqual(keys, ["import-7.0", "import-7.1"]);
});
