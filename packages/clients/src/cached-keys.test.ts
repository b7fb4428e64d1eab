import assert from "node:assert/strict";
import { test } from "node:test";
import { createCachedKeys } from "./cached-keys.ts";

function setup() {
  let nowMs = 0;
  let asked = 0;
  let answer: () => Promise<readonly string[]> = async () => ["k1"];
  const ask = () => {
    asked += 1;
    return answer();
  };
  const cached = createCachedKeys({ clock: { nowMs: () => nowMs }, ask });
  return {
    cached,
    asked: () => asked,
    becomes: (next: typeof answer) => {
      answer = next;
    },
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

const down = async (): Promise<never> => {
  throw new Error("down");
};

test("a party that does not answer is asked every second while no keys are cached, and every 30 s otherwise [I4] [E3]", async () => {
  const { cached, asked, becomes, pass } = setup();
  becomes(down);
  for (let round = 0; round < 3; round++) await assert.rejects(cached.current(), { message: "down" });
  assert.equal(asked(), 1);
  pass(1);
  becomes(async () => ["k1"]);
  const keys = await cached.current();
  becomes(down);
  pass(300);
  for (let round = 0; round < 3; round++) assert.equal(await cached.current(), keys);
  assert.equal(asked(), 3);
  pass(30);
  assert.equal(await cached.current(), keys);
  assert.equal(asked(), 4);
  pass(3270);
  await assert.rejects(cached.current(), { message: "down" });
});

test("all waiting callers share one request for newer keys; a failed request is an error, not an empty answer [I4] [E3]", async () => {
  const { cached, asked, becomes, pass } = setup();
  const tried = await cached.current();
  assert.equal(await cached.newerThan(tried), undefined, "asked for just now");
  pass(30);
  becomes(down);
  await assert.rejects(cached.newerThan(tried), { message: "down" });
  pass(30);
  becomes(async () => ["k1", "k2"]);
  const newer = await Promise.all(Array.from({ length: 5 }, () => cached.newerThan(tried)));
  assert.deepEqual(newer, Array(5).fill(["k1", "k2"]));
  assert.equal(asked(), 3);
});
