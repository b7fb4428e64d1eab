import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseSingularJsonPath } from "./singular-json-path.ts";

test("parseSingularJsonPath() reads names and positions [RFC 9535 section 2.3, decision V11]", () => {
  const cases: Record<string, readonly (string | number)[]> = {
    $: [],
    "$.score": ["score"],
    "$.a.b[0]['c']": ["a", "b", 0, "c"],
    '$["a b"][12][-1]': ["a b", 12, -1],
    "$.ünï_1.☺": ["ünï_1", "☺"],
    "$['']": [""],
    "$['it\\'s']": ["it's"],
    "$['say \"x\"']": ['say "x"'],
    '$["it\'s"]': ["it's"],
    "$['\\\\\\n\\u263a\\/']": ["\\\n☺/"],
    "$['a.b'].c": ["a.b", "c"],
    "$.__proto__": ["__proto__"],
  };
  for (const [path, steps] of Object.entries(cases)) {
    assert.deepEqual(parseSingularJsonPath(path), steps, path);
  }
});

test("parseSingularJsonPath() refuses paths to several values, and malformed ones [RFC 9535, decision V11] [V-ACL-018]", () => {
  const refused = [
    "",
    "score",
    "@.a",
    "$.",
    "$a",
    "$.*",
    "$[*]",
    "$..a",
    "$[0:1]",
    "$[0,1]",
    "$[?@.a>1]",
    "$.a[0",
    "$[01]",
  ];
  refused.push(
    "$[-0]",
    "$[1.5]",
    "$[9999999999999999]",
    "$.1a",
    "$.a b",
    " $.a",
    "$.a ",
    "$ .a",
    "$['a]",
    "$[a]",
    "$['a\\x']",
  );
  refused.push("$['\\\"']", '$["\\\'"]', "$['a\nb']", "$.\ud800", `$.${"a".repeat(1023)}`, `$${".a".repeat(65)}`);
  for (const path of refused) {
    assert.throws(() => parseSingularJsonPath(path), { code: "INVALID_ACL" }, path);
  }
});

test("parseSingularJsonPath() reads any member name that JSON can write [RFC 9535 section 2.3.1]", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      assert.deepEqual(parseSingularJsonPath(`$[${JSON.stringify(name)}]`), [name]);
      const single = JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
      assert.deepEqual(parseSingularJsonPath(`$['${single}']`), [name]);
    }),
    { numRuns: 1000 },
  );
});
