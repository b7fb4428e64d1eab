import assert from "node:assert/strict";
import { test } from "node:test";
import { createBell, hear, ring } from "./bell.ts";

test("the first ring asks for a message, those until it is heard do not", () => {
  const bell = createBell();
  assert.deepEqual([ring(bell), ring(bell), ring(bell)], [true, false, false]);
});

test("a ring after it was heard is heard without a message, and the next one when it was quiet asks for one", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const bell = createBell();
  let heard = 0;
  ring(bell);
  hear(bell, () => (heard += 1));
  assert.deepEqual([heard, ring(bell), ring(bell)], [1, false, false]);
  t.mock.timers.tick(2);
  assert.deepEqual([heard, ring(bell)], [2, false]);
  t.mock.timers.tick(2);
  assert.equal(heard, 3);
  t.mock.timers.tick(2);
  assert.deepEqual([heard, ring(bell)], [3, true]);
});

test("a ring that comes while it is being heard is not lost", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const bell = createBell();
  const asked: boolean[] = [];
  ring(bell);
  hear(bell, () => asked.length < 2 && asked.push(ring(bell)));
  t.mock.timers.tick(2);
  t.mock.timers.tick(2);
  assert.deepEqual(asked, [false, false]);
  t.mock.timers.tick(2);
  assert.equal(ring(bell), true);
});
