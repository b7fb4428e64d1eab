import assert from "node:assert/strict";
import { test } from "node:test";
import { createRunInParts } from "./in-parts.ts";

/** Items 0 to `count`, some of which fail; gives the runs and what was worked on. */
function prepare(count: number, fails: (item: number) => boolean) {
  const worked: number[] = [];
  const warned: unknown[] = [];
  const run = createRunInParts<number>({
    list: async (after = -1, atMost) =>
      Array.from({ length: Math.max(0, Math.min(atMost, count - 1 - after)) }, (_, index) => after + 1 + index),
    work: async (item) => {
      worked.push(item);
      if (fails(item)) throw new Error(`item ${item}`);
      return item % 2 === 0;
    },
    log: { warn: (entry: object) => void warned.push(entry) },
    failed: "failed",
  });
  return { run, worked, warned };
}

test("a run works through every part, and an item that fails is logged and delays no other", async () => {
  const { run, worked, warned } = prepare(250, (item) => item === 3 || item === 120);
  assert.equal(await run(), 124);
  assert.deepEqual(
    worked,
    Array.from({ length: 250 }, (_, index) => index),
  );
  assert.equal(warned.length, 2);
  assert.equal(await run(), 124);
  assert.equal(worked.length, 500);
});

test("a run ends at its tenth failure, and the next one goes on after it, so the first items starve no other", async () => {
  const { run, worked } = prepare(25, (item) => item < 20);
  assert.equal(await run(), 0);
  assert.equal(worked.length, 10);
  assert.equal(await run(), 0);
  assert.equal(await run(), 3);
  assert.deepEqual(
    worked,
    Array.from({ length: 25 }, (_, index) => index),
  );
});
