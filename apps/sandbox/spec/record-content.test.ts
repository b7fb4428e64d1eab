import assert from "node:assert/strict";
import { test } from "node:test";
import { readContent } from "../browser/vault/record-content.ts";

test("typed text is parsed as a record's content, and invalid JSON is reported with its place", () => {
  assert.deepEqual(readContent('{ "a": [1, "ü\\n"] }'), { a: [1, "ü\n"] });
  const places = [
    ["", "line 1, column 1"],
    ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"],
    ['{ "a": 1, }', "line 1, column 11"],
    ['{\n  "a": tru\n}', "line 2, column 8"],
    ['{\n  "a": [1, "x"]', "line 2, column 16"],
    ["{ \"a\": 'x' }", "line 1, column 8"],
  ] as const;
  for (const [text, place] of places) {
    const message = new RegExp(`^This is not JSON at ${place}\\. .+ Nothing was saved\\.$`);
    assert.throws(() => readContent(text), { message }, text);
  }
  for (const text of ["[1]", "null", '"x"', "7"]) assert.throws(() => readContent(text), { message: /braces/ }, text);
});
