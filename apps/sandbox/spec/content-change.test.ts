import assert from "node:assert/strict";
import { test } from "node:test";
import { compareContent } from "../browser/vault/content-change.ts";

test("only changed fields are sent, and fields that an update cannot remove are named [V-STATE-009]", () => {
  const stored = { a: 1, b: { c: [1] }, big: 9_007_199_254_740_991, gone: "x", empty: null };
  assert.deepEqual(compareContent(stored, { a: 2, b: { c: [1] }, big: 9_007_199_254_740_991, extra: null }), {
    changed: { a: 2, extra: null },
    left: ["gone"],
  });
  assert.deepEqual(compareContent(stored, stored), { changed: {}, left: [] });
  // Fields with the names of built-in members are fields like any other.
  assert.deepEqual(compareContent({}, JSON.parse('{ "constructor": 1, "toString": 2 }')).left, []);
  assert.deepEqual(Object.keys(compareContent({}, JSON.parse('{ "constructor": 1 }')).changed), ["constructor"]);
});
