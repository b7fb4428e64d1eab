import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBase58btc, encodeBase58btc } from "./base58btc.ts";

test("encodeBase58btc() gives the published examples [draft-msporny-base58-03 section 5]", () => {
  const examples = [
    ["48656c6c6f20576f726c6421", "2NEpo7TZRRrLZSi2U"],
    ["0000287fb4cd", "11233QC4"],
  ] as const;
  for (const [hex, text] of examples) {
    assert.equal(encodeBase58btc(Buffer.from(hex, "hex")), text);
    assert.equal(Buffer.from(decodeBase58btc(text) ?? []).toString("hex"), hex);
  }
});

test("decodeBase58btc() reads back what encodeBase58btc() wrote [decision I9]", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.deepEqual(decodeBase58btc(encodeBase58btc(bytes)), bytes);
    }),
  );
});

test("decodeBase58btc() reads only the text that encodeBase58btc() would write [decision I9]", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."123zZaAoL0OIl+ "), maxLength: 24 }), (text) => {
      const bytes = decodeBase58btc(text);
      assert.equal(bytes === undefined, /[0OIl+ ]/.test(text));
      assert.ok(bytes === undefined || encodeBase58btc(bytes) === text);
    }),
    { numRuns: 2000 },
  );
});

test("decodeBase58btc() refuses text over 256 characters, whose decoding would cost its square [decision I9]", () => {
  assert.equal(decodeBase58btc("2".repeat(256)) === undefined, false);
  assert.equal(decodeBase58btc("2".repeat(257)), undefined);
});
