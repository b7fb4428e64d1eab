import assert from "node:assert/strict";
import { test } from "node:test";
import { payloadDiff } from "../browser/payload-diff.ts";

test("fields that came, went or changed are told, in the order of their names; the others are not", () => {
  assert.deepEqual(payloadDiff({ b: 1, a: "x", same: [1] }, { a: "y", c: null, same: [1] }), [
    { field: "a", before: '"x"', after: '"y"' },
    { field: "b", before: "1", after: undefined },
    { field: "c", before: undefined, after: "null" },
  ]);
  assert.deepEqual(payloadDiff({ a: 1 }, null), [{ field: "a", before: "1", after: undefined }]);
  assert.deepEqual(payloadDiff(null, { a: 1 }), [{ field: "a", before: undefined, after: "1" }]);
});
