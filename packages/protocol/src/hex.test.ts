import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeHex, encodeHex } from "./hex.ts";

test("decodeHex() reads back what encodeHex() wrote, which is what Node writes [RFC 4648 section 8]", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = encodeHex(bytes);
      assert.equal(text, Buffer.from(bytes).toString("hex"));
      assert.deepEqual(decodeHex(text), bytes);
      assert.deepEqual(decodeHex(text.toUpperCase()), bytes);
    }),
  );
});

test("decodeHex() refuses odd lengths, mixed case and anything around the digits [decision I9]", () => {
  for (const text of ["0", "abc", "aB", "Ab", "0x00", " 00", "00\n", "0g", "０0"]) {
    assert.equal(decodeHex(text), undefined, text);
  }
});
