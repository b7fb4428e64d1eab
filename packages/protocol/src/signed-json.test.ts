import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import vectors from "../../../vectors/canonical-json.json" with { type: "json" };
import { parseSignedJson } from "./signed-json.ts";

test("parseSignedJson() refuses what two readers could understand differently [decision V7]", () => {
  for (const { json, why } of vectors.reject) {
    assert.throws(() => parseSignedJson(json), { code: "INVALID_JSON" }, why);
  }
});

test("parseSignedJson() takes the same key in different objects, and a key's text as a value [decision V7]", () => {
  for (const json of [
    '{"a":{"a":["a","a",{"a":"a"}]},"b":"a"}',
    '[{"a":1},{"a":2}]',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '"__proto__"',
    "7",
  ]) {
    assert.deepEqual(parseSignedJson(json), JSON.parse(json));
  }
});

test("parseSignedJson() gives what JSON.parse gives, for any JSON without __proto__ and any white space [RFC 8259]", () => {
  const value = fc.jsonValue({ stringUnit: "grapheme" });
  fc.assert(
    fc.property(value, fc.constantFrom("", " ", "\n\t"), (json, space) => {
      const text = JSON.stringify(json, null, space);
      fc.pre(!text.includes("__proto__"));
      assert.deepEqual(parseSignedJson(text), JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

test("parseSignedJson() finds a key that is there twice, wherever it is [decision V7] [V-DEC-475]", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  fc.assert(
    fc.property(objects, fc.nat(), (object, pick) => {
      const members = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`);
      const twice = [...members, members[pick % members.length]].join(" , ");
      assert.throws(() => parseSignedJson(`[{${twice}}]`), { code: "INVALID_JSON" });
    }),
  );
});

test("parseSignedJson() takes a long string and depth 64 [decision V7]", () => {
  const long = JSON.stringify({ text: '\\"a'.repeat(200_000) });
  assert.deepEqual(parseSignedJson(long), JSON.parse(long));
  const nested = `${"[".repeat(64)}${"]".repeat(64)}`;
  assert.deepEqual(parseSignedJson(nested), JSON.parse(nested));
});
