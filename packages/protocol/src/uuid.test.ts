import assert from "node:assert/strict";
import { test } from "node:test";
import { isUuid } from "./uuid.ts";

test("a UUID is hex with hyphens, in any case, of any version", () => {
  for (const text of ["00000000-0000-0000-0000-000000000000", "ABCDEF01-2345-6789-abcd-ef0123456789"]) {
    assert.ok(isUuid(text), text);
  }
  const others = ["00000000000000000000000000000000", "{00000000-0000-0000-0000-000000000000}", "", undefined];
  for (const value of [...others, "00000000-0000-0000-0000-00000000000g", "00000000-0000-0000-0000-000000000000\n"]) {
    assert.equal(isUuid(value), false, String(value));
  }
});
