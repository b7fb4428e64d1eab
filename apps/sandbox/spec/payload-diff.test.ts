import assert from "node:assert/strict";
import { test } from "node:test";
import { payloadDiff } from "../browser/vault/payload-diff.ts";

test("added, removed and changed fields are listed, in the order of their names", () => {
  assert.deepEqual(payloadDiff({ b: 1, a: "x", same: [1] }, { a: "y", c: null, same: [1] }), [
    { field: "a", before: '"x"', after: '"y"' },
    { field: "b", before: "1", after: undefined },
    { field: "c", before: undefined, after: "null" },
  ]);
  assert.deepEqual(payloadDiff({ a: 1 }, null), [{ field: "a", before: "1", after: undefined }]);
  assert.deepEqual(payloadDiff(null, { a: 1 }), [{ field: "a", before: undefined, after: "1" }]);
});

test("hidden and bidirectional characters of other people's records are shown by their code points [decision I10]", () => {
  assert.deepEqual(payloadDiff({ "a\u202E": "x" }, { "a\u202E": "x\u200B" }), [
    { field: "a[U+202E]", before: '"x"', after: '"x[U+200B]"' },
  ]);
});
