import assert from "node:assert/strict";
import { test } from "node:test";
import { findMemberLine, rememberJsonSource } from "./json-source.ts";

function lineOf(text: string, name: string): number | undefined {
  const value: unknown = JSON.parse(text);
  rememberJsonSource(value, text);
  return findMemberLine(value, name);
}

test("the line of a member of the outermost object is found, whatever stands in strings and inner objects", () => {
  assert.equal(lineOf('{"a":1}', "a"), 1);
  assert.equal(lineOf('{\n"b": {"a": 1},\n"c": "\\"a\\": {",\n"a"\n: 2}', "a"), 4);
  assert.equal(lineOf('{\n\n"\\u0061": 2}', "a"), 3);
  assert.equal(lineOf('["a"]', "a"), undefined);
  assert.equal(lineOf('{"b": "a"}', "a"), undefined);
});

test("a value whose text is not remembered, or was too long, has no lines", () => {
  assert.equal(findMemberLine({ a: 1 }, "a"), undefined);
  assert.equal(findMemberLine("a", "a"), undefined);
  assert.equal(lineOf(`{"a": "${"x".repeat(16_384)}"}`, "a"), undefined);
});
