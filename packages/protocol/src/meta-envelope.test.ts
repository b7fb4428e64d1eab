import assert from "node:assert/strict";
import { test } from "node:test";
import { valueTypeOf } from "./meta-envelope.ts";

test("valueTypeOf() names S1's four kinds and JSON's other two [S1 Envelope, decision V6]", () => {
  const kinds = ["", 0, {}, [], true, null].map((value) => valueTypeOf(value));
  assert.deepEqual(kinds, ["string", "number", "object", "array", "boolean", "null"]);
});
