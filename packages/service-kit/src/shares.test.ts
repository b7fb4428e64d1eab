import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createShares } from "./shares.ts";

const LIMITS = { places: 4, perHolder: 2, mostWaiting: 3 };
const refuse = () => new Error("too many");

function openWork() {
  const ended: (() => void)[] = [];
  const started: string[] = [];
  return {
    started,
    endFirst: async () => {
      ended.shift()?.();
      await turn();
    },
    of: (holder: string) => () => {
      started.push(holder);
      return new Promise<void>((resolve) => ended.push(resolve));
    },
  };
}

test("a holder has its share of the places at most, and others get theirs at once [decision V25]", async () => {
  const inShare = createShares(LIMITS, refuse);
  const { started, of, endFirst } = openWork();
  const all = ["a", "a", "a", "a", "b", "c"].map((holder) => inShare(holder, of(holder)));
  await turn();
  assert.deepEqual(started, ["a", "a", "b", "c"]);
  await endFirst();
  await endFirst();
  assert.deepEqual(started, ["a", "a", "b", "c", "a", "a"]);
  for (let left = all.length; left > 0; left -= 1) await endFirst();
  await Promise.all(all);
});

test("work beyond what a holder may have waiting is refused, and that of others is not [decision V25]", async () => {
  const inShare = createShares(LIMITS, refuse);
  const { started, of, endFirst } = openWork();
  const all = Array.from({ length: 5 }, () => inShare("a", of("a")));
  await assert.rejects(inShare("a", of("a")), /too many/);
  all.push(inShare("b", of("b")));
  await turn();
  assert.deepEqual(started, ["a", "a", "b"]);
  for (let left = 2 * all.length; left > 0; left -= 1) await endFirst();
  await Promise.all(all);
});

test("work that fails gives its place back [decision V25]", async () => {
  const inShare = createShares({ places: 1, perHolder: 1, mostWaiting: 9 }, refuse);
  const failing = () => Promise.reject(new Error("no"));
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => inShare("a", failing)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected", "rejected"],
  );
  assert.equal(await inShare("b", async () => 7), 7);
});
