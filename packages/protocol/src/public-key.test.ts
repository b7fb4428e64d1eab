import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import vectors from "../../../vectors/public-key.json" with { type: "json" };
import { encodeBase58btc } from "./base58btc.ts";
import { encodeHex } from "./hex.ts";
import { decodePublicKey, isZeroKey, pointToSpki } from "./public-key.ts";

test("decodePublicKey() reads the same point from every accepted spelling [S1 PATCH /public-key, decision I9] [V-DEC-288]", () => {
  for (const [name, text] of Object.entries(vectors.own.accept)) {
    assert.equal(encodeHex(decodePublicKey(text).point), vectors.own.pointHex, name);
  }
});

test("decodePublicKey() returns how the key was spelled [decision I9]", () => {
  const { z_spki, z_hex_quirk, z_multikey_p256, hex0x_compressed, base64url_spki } = vectors.own.accept;
  const spellings = [z_spki, z_hex_quirk, z_multikey_p256, hex0x_compressed, base64url_spki].map((text) => {
    const { encoding, form } = decodePublicKey(text);
    return `${encoding} ${form}`;
  });
  assert.deepEqual(spellings, [
    "base58btc spki",
    "multibase-hex spki",
    "base58btc multikey",
    "hex compressed",
    "base64 spki",
  ]);
});

test("decodePublicKey() reads keys that others published [RFC 6979 A.2.5, did:key]", () => {
  for (const { pointHex, jwk, accept } of vectors.foreign) {
    const expected =
      pointHex ?? `04${[jwk?.x, jwk?.y].map((n) => Buffer.from(n ?? "", "base64url").toString("hex")).join("")}`;
    for (const text of Object.values(accept)) {
      assert.equal(encodeHex(decodePublicKey(text).point), expected, text);
    }
  }
});

test("decodePublicKey() refuses other curves, points off the curve, left-over bytes and odd spellings [decision I9] [V-DEC-289]", () => {
  const spki = vectors.own.accept.f_spki.slice(1);
  const refused = {
    ...vectors.own.reject,
    tooLong: `z${"2".repeat(300)}`,
    otherCurveInHeader: `f${spki.replace("2a8648ce3d030107", "2a8648ce3d030106")}`,
    mixedCaseHex: `0x${spki.replace("ce", "Ce")}`,
    space: ` ${vectors.own.accept.z_spki}`,
    compressedInsideSpki: `f${spki.slice(0, 52)}02${spki.slice(54)}`,
  };
  for (const [name, text] of Object.entries(refused)) {
    assert.throws(() => decodePublicKey(text), { code: "INVALID_PUBLIC_KEY" }, name);
  }
});

test("decodePublicKey() refuses any text without throwing anything else [decision I9]", () => {
  const text = fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: fc.constantFrom(..."zmf0x123abcABC=-_") }));
  fc.assert(
    fc.property(text, (garbage) => {
      assert.throws(() => decodePublicKey(garbage), { code: "INVALID_PUBLIC_KEY" });
    }),
    { numRuns: 2000 },
  );
});

test("pointToSpki() writes the DER that OpenSSL writes [RFC 5480]", () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const { point } = decodePublicKey(`z${encodeBase58btc(spki)}`);
  assert.deepEqual(Buffer.from(pointToSpki(point)), spki);
  assert.ok(createPublicKey({ key: Buffer.from(pointToSpki(point)), type: "spki", format: "der" }).equals(publicKey));
});

test("isZeroKey() recognises the all-zero key, and no other [decision V17]", () => {
  assert.deepEqual(["0x0", `0x${"0".repeat(40)}`, `0x${"0".repeat(130)}`].map(isZeroKey), [true, true, true]);
  assert.deepEqual(["", "0x", "0", "0x01", vectors.own.accept.hex0x_raw, "z0"].map(isZeroKey), Array(6).fill(false));
});
