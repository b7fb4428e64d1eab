import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createGathering } from "./gather.ts";

test("items that arrive shortly after the first or during a run are batched, each with its own result [decision E1]", async () => {
  const runs: (readonly number[])[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const double = createGathering(
    async (items: readonly number[]) => {
      runs.push(items);
      await gates[runs.length - 1]?.promise;
      return items.map((item) => item * 2);
    },
    { most: 2, gatherMs: 5, isPerItemError: () => true },
  );
  const first = [double(1)];
  await sleep(1);
  first.push(double(2));
  while (runs.length === 0) await sleep(1);
  const later = [double(3), double(4), double(5)];
  for (const gate of gates) gate.resolve();
  assert.deepEqual(await Promise.all([...first, ...later]), [2, 4, 6, 8, 10]);
  assert.deepEqual(runs, [[1, 2], [3, 4], [5]]);
  assert.equal(await double(6), 12);
});

test("a refused item is refused alone; a common failure fails all items and ends nothing", async () => {
  const runs: (readonly string[])[] = [];
  const run = createGathering(
    async (items: readonly string[]) => {
      runs.push(items);
      for (const word of ["down", "bad"]) if (items.includes(word)) throw new Error(word);
      return items;
    },
    { most: 10, gatherMs: 1, isPerItemError: (error) => (error as Error).message === "bad" },
  );
  const statusesOf = async (...items: readonly string[]) =>
    (await Promise.allSettled(items.map(run))).map(({ status }) => status);
  assert.deepEqual(await statusesOf("one", "bad", "two"), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(runs, [["one", "bad", "two"], ["one"], ["bad"], ["two"]]);
  assert.deepEqual(await statusesOf("one", "down"), ["rejected", "rejected"]);
  assert.deepEqual(await statusesOf("one"), ["fulfilled"]);
  assert.equal(runs.length, 6);
});
