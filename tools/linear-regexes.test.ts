import assert from "node:assert/strict";
import { test } from "node:test";
import { findSlowRegexes } from "./linear-regexes.ts";

const SLOW = [
  "/=+$/",
  '/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"/g',
  "/^(?:a|a)*$/",
  "/^(a+)+$/",
  "/^\\s*\\S*\\s*x$/",
  "/a*a*b/y",
];
const LINEAR = [
  "/^=+$/",
  "/^(?:[0-9a-f]{2})*$/",
  '/"(?:[^"\\\\]|\\\\.)*"/sy',
  "/^[a-z]{1,64}\\.[a-z]{1,64}$/",
  "/[^a-z]/g",
];

test("the gate finds regular expressions that take polynomial or exponential time, and passes linear ones [decision V25]", () => {
  for (const literal of SLOW) assert.equal(findSlowRegexes("a.ts", `const a: RegExp = ${literal};`).length, 1, literal);
  for (const literal of LINEAR) assert.deepEqual(findSlowRegexes("a.ts", `f<string>(${literal});`), [], literal);
});

test("the gate refuses patterns that are put together when the program runs [decision V25]", () => {
  for (const made of ["new RegExp(`^a$`)", "RegExp(a)"]) {
    assert.deepEqual(
      findSlowRegexes("a.ts", `x = ${made};`).map(({ at }) => at),
      [4],
    );
  }
});
