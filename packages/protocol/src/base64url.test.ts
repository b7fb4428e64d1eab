import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBase64Url, decodeEitherBase64, encodeBase64Url } from "./base64url.ts";

test("encodeBase64Url() writes what Node writes, and decodeBase64Url() reads it back [RFC 4648 section 5]", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = encodeBase64Url(bytes);
      assert.equal(text, Buffer.from(bytes).toString("base64url"));
      assert.deepEqual(decodeBase64Url(text), bytes);
    }),
  );
});

test("decodeBase64Url() refuses padding, the other alphabet and left-over bits [RFC 7515 section 2]", () => {
  for (const text of ["Zg==", "Zm8=", "Zm+v", "Zm/v", "Zh", "Z", "Zg ", "Zg\n"]) {
    assert.equal(decodeBase64Url(text), undefined, text);
  }
});

test("decodeEitherBase64() reads both alphabets with or without padding, never mixed [decision I9]", () => {
  const bytes = Uint8Array.of(0xfb, 0xff, 0xfe, 0xff);
  for (const text of ["+//+/w==", "+//+/w", "-__-_w==", "-__-_w"]) {
    assert.deepEqual(decodeEitherBase64(text), bytes, text);
  }
  for (const text of ["+__-_w", "-//+/w==", "-__-_w=", "-__-_x"]) {
    assert.equal(decodeEitherBase64(text), undefined, text);
  }
});
