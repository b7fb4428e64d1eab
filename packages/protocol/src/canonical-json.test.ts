import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import vectors from "../../../vectors/canonical-json.json" with { type: "json" };
import { canonical } from "./canonical-json.ts";

test("canonical() and its SHA-256 are the published ones [decision V14]", () => {
  for (const { inputJson, canonical: expected, sha256Base64Url } of vectors.own) {
    const text = canonical(JSON.parse(inputJson));
    assert.equal(text, expected);
    assert.equal(createHash("sha256").update(text).digest("base64url"), sha256Base64Url);
  }
});

test("canonical() gives the documents and numbers of RFC 8785", () => {
  for (const { inputJson, canonical: expected } of vectors.foreign.documents) {
    assert.equal(canonical(JSON.parse(inputJson)), expected);
  }
  for (const { ieee754Hex, canonical: expected } of vectors.foreign.numbers) {
    assert.equal(canonical(Buffer.from(ieee754Hex, "hex").readDoubleBE()), expected);
  }
  for (const { ieee754Hex } of vectors.foreign.numbersRefused) {
    assert.throws(() => canonical(Buffer.from(ieee754Hex, "hex").readDoubleBE()), { code: "INVALID_JSON" });
  }
});

test("canonical() equals JSON.stringify of the value with its keys sorted [RFC 8785]", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
      assert.equal(canonical(value), stringifySorted(value));
    }),
    { numRuns: 2000 },
  );
});

test("canonical() refuses values without an exact JSON form [RFC 8785 section 3.2.2]", () => {
  const holed: unknown[] = [];
  holed.length = 2;
  const refused: readonly unknown[] = [
    undefined,
    { a: undefined },
    [undefined],
    holed,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    1n,
    Symbol("s"),
    () => 1,
    new Date(0),
    new Map(),
    Object("boxed"),
    { toJSON: () => "x" },
    "\ud800",
    { "\udc00": 1 },
  ];
  for (const value of refused) {
    assert.throws(() => canonical(value), { code: "INVALID_JSON" });
  }
});

test("canonical() writes the key __proto__ and objects without a prototype as any other [RFC 8785]", () => {
  assert.equal(canonical(JSON.parse('{"b":1,"__proto__":{"x":2}}')), '{"__proto__":{"x":2},"b":1}');
  assert.equal(canonical(Object.assign(Object.create(null), { a: -0 })), '{"a":0}');
});

test("canonical() refuses nesting over 128 and cycles instead of running out of stack [decision V7]", () => {
  const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  assert.equal(canonical(nested(128)).length, 256);
  assert.throws(() => canonical(nested(129)), { code: "INVALID_JSON" });
  assert.throws(() => canonical(nested(100_000)), { code: "INVALID_JSON" });
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  assert.throws(() => canonical(cycle), { code: "INVALID_JSON" });
});

// As text, because an object would move integer-like keys to the front.
function stringifySorted(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(stringifySorted).join(",")}]`;
  }
  const sorted = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${stringifySorted(member)}`).join(",")}}`;
}
