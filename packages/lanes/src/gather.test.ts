import assert from "node:assert/strict";
import { test } from "node:test";
import { createGathering } from "./gather.ts";

test("what comes while a run is under way goes into the next one, each with its own result [decision E1]", async () => {
  const runs: (readonly number[])[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const double = createGathering(async (items: readonly number[]) => {
    runs.push(items);
    await gates[runs.length - 1]?.promise;
    return items.map((item) => item * 2);
  }, 2);
  const first = [double(1), double(2)];
  await Promise.resolve();
  await Promise.resolve();
  const later = [double(3), double(4), double(5)];
  for (const gate of gates) gate.resolve();
  assert.deepEqual(await Promise.all([...first, ...later]), [2, 4, 6, 8, 10]);
  assert.deepEqual(runs, [[1, 2], [3, 4], [5]]);
  assert.equal(await double(6), 12);
});

test("a run that fails fails for its own items, and the next one runs", async () => {
  let runs = 0;
  const run = createGathering(async (items: readonly string[]) => {
    runs += 1;
    if (items.includes("bad")) throw new Error("refused");
    return items;
  }, 10);
  const together = await Promise.allSettled([run("good"), run("bad")]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(await run("good"), "good");
  assert.equal(runs, 2);
});
