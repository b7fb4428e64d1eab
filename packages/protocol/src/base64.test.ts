import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBase64, encodeBase64 } from "./base64.ts";

test("decodeBase64() reads the examples of RFC 4648 section 10, with padding or without", () => {
  const examples = {
    "": "",
    f: "Zg==",
    fo: "Zm8=",
    foo: "Zm9v",
    foob: "Zm9vYg==",
    fooba: "Zm9vYmE=",
    foobar: "Zm9vYmFy",
  };
  for (const [plain, text] of Object.entries(examples)) {
    const bytes = new TextEncoder().encode(plain);
    assert.equal(encodeBase64(bytes), text);
    assert.deepEqual(decodeBase64(text), bytes);
    assert.deepEqual(decodeBase64(text.replaceAll("=", "")), bytes);
  }
});

test("decodeBase64() refuses left-over bits, half a padding, other alphabets and white space [RFC 4648 section 3.5]", () => {
  for (const text of [
    "Zh==",
    "Zm9=",
    "Zg=",
    "Zm9v=",
    "Zm9v====",
    "Z",
    "=",
    "Zm-v",
    "Zm_v",
    "Zm 9v",
    "Zm9v\n",
    "Z=g=",
  ]) {
    assert.equal(decodeBase64(text), undefined, text);
  }
});

test("decodeBase64() reads only one padded and one bare text for any bytes [decision I9]", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."AQgwZ9+/="), maxLength: 12 }), (text) => {
      const bytes = decodeBase64(text);
      const padded = bytes && encodeBase64(bytes);
      assert.ok(padded === undefined || text === padded || text === padded.replaceAll("=", ""));
    }),
    { numRuns: 5000 },
  );
});

test("decodeBase64() looks at a text of padding once, however long it is [decision V25]", () => {
  // A search that restarts at each position took 2,000 s for this.
  const padding = "=".repeat(2_000_000);
  assert.equal(decodeBase64(`${padding}A`), undefined);
  assert.equal(decodeBase64(`A${padding}A`), undefined);
});
