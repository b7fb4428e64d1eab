import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeptKeys } from "./kept-keys.ts";

function setup() {
  let nowMs = 0;
  let asked = 0;
  let answer: () => Promise<readonly string[]> = async () => ["k1"];
  const ask = () => {
    asked += 1;
    return answer();
  };
  const kept = createKeptKeys({ clock: { nowMs: () => nowMs }, ask });
  return {
    kept,
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

test("a party that does not answer is asked every second while there are no keys, and every 30 s while there are [I4] [E3]", async () => {
  const { kept, asked, becomes, pass } = setup();
  becomes(down);
  for (let round = 0; round < 3; round++) await assert.rejects(kept.current(), { message: "down" });
  assert.equal(asked(), 1);
  pass(1);
  becomes(async () => ["k1"]);
  const keys = await kept.current();
  becomes(down);
  pass(300);
  for (let round = 0; round < 3; round++) assert.equal(await kept.current(), keys);
  assert.equal(asked(), 3);
  pass(30);
  assert.equal(await kept.current(), keys);
  assert.equal(asked(), 4);
  pass(3270);
  await assert.rejects(kept.current(), { message: "down" });
});

test("newer keys are had once, by all who wait for them; that none could be asked for is no answer [I4] [E3]", async () => {
  const { kept, asked, becomes, pass } = setup();
  const tried = await kept.current();
  assert.equal(await kept.newerThan(tried), undefined, "asked for just now");
  pass(30);
  becomes(down);
  await assert.rejects(kept.newerThan(tried), { message: "down" });
  pass(30);
  becomes(async () => ["k1", "k2"]);
  const newer = await Promise.all(Array.from({ length: 5 }, () => kept.newerThan(tried)));
  assert.deepEqual(newer, Array(5).fill(["k1", "k2"]));
  assert.equal(asked(), 3);
});
