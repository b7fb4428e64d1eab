import assert from "node:assert/strict";
import { createECDH, ECDH } from "node:crypto";
import { test } from "node:test";
import { expandP256Point } from "./p256-point.ts";

test("expandP256Point() decompresses as OpenSSL does [SEC 1 section 2.3.4]", () => {
  for (let round = 0; round < 50; round += 1) {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    const point = new Uint8Array(ecdh.getPublicKey());
    const compressed = new Uint8Array(ecdh.getPublicKey(null, "compressed"));
    assert.deepEqual(expandP256Point(compressed), point);
    assert.deepEqual(expandP256Point(point), point);
  }
});

test("expandP256Point() refuses an x without a point, as OpenSSL does, for half of all x [SEC 1 section 2.3.4]", () => {
  let refused = 0;
  for (let x = 1; x <= 100; x += 1) {
    const compressed = new Uint8Array(33).fill(0);
    compressed.set([2], 0);
    compressed.set([x], 32);
    const mine = expandP256Point(compressed);
    assert.deepEqual(mine && Buffer.from(mine), decompressByOpenSsl(compressed));
    refused += mine === undefined ? 1 : 0;
  }
  assert.ok(refused > 20 && refused < 80, String(refused));
});

test("expandP256Point() refuses coordinates that are not below the prime, and every other length [SEC 1 section 2.3.4]", () => {
  const prime = Buffer.from("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", "hex");
  // The curve's point with x = 0, written with x = p.
  const zero = expandP256Point(Uint8Array.of(2, ...new Uint8Array(32)));
  assert.ok(zero);
  assert.equal(expandP256Point(Uint8Array.of(2, ...prime)), undefined);
  assert.equal(expandP256Point(Uint8Array.of(4, ...prime, ...zero.subarray(33))), undefined);
  assert.equal(expandP256Point(Uint8Array.of(4, ...zero.subarray(1, 33), ...prime)), undefined);
  for (const bytes of [[], [0], [4], [2], [...zero, 0], [...zero.subarray(0, 64)], [6, ...zero.subarray(1)]]) {
    assert.equal(expandP256Point(Uint8Array.from(bytes)), undefined);
  }
});

function decompressByOpenSsl(compressed: Uint8Array): Buffer | undefined {
  try {
    return ECDH.convertKey(compressed, "prime256v1", undefined, undefined, "uncompressed") as Buffer;
  } catch {
    return undefined;
  }
}
