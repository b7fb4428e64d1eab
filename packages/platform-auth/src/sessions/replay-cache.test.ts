import assert from "node:assert/strict";
import { test } from "node:test";
import { createReplayCache } from "./replay-cache.ts";

const LIMITS = { rememberMs: 1_000, most: 8, mostPerHolder: 2 };

test("a use counts once while it is remembered, for at least the time that it must be [RFC 9449 11.1]", () => {
  let nowMs = 0;
  const replays = createReplayCache({ nowMs: () => nowMs }, LIMITS);
  assert.deepEqual([replays.take("a", "1"), replays.take("a", "1"), replays.take("b", "1")], [true, false, true]);
  nowMs = 1_999;
  assert.equal(replays.take("a", "1"), false);
  nowMs = 5_000;
  assert.equal(replays.take("a", "1"), true);
});

test("one holder fills a quarter at most, whatever the length of its ids, and a full memory refuses all [decision V25]", () => {
  const replays = createReplayCache({ nowMs: () => 0 }, LIMITS);
  const long = "x".repeat(100_000);
  assert.deepEqual(
    [`${long}1`, `${long}2`, `${long}3`].map((id) => replays.take("a", id)),
    [true, true, false],
  );
  for (const holder of ["b", "c", "d"]) for (const id of ["1", "2"]) assert.equal(replays.take(holder, id), true);
  assert.equal(replays.take("e", "1"), false);
});
