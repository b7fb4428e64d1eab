import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { test } from "node:test";
import { encodeBase58btc } from "./base58btc.ts";
import { encodeBase64 } from "./base64.ts";
import { encodeBase64Url } from "./base64url.ts";
import { encodeHex } from "./hex.ts";
import { decodePublicKey, pointToSpki } from "./public-key.ts";
import { signatureCandidates } from "./signature.ts";

/**
 * The number of signatures, each in all spellings: DS_RANDOM_SIGNATURES=200000 is the complete proof and takes a few
 * minutes.
 */
const ROUNDS = Number(process.env["DS_RANDOM_SIGNATURES"] ?? 3000);

/** Every accepted spelling of a signature's bytes. */
const SPELLINGS: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  base64: encodeBase64,
  "base64 without padding": (bytes) => encodeBase64(bytes).replace(/=+$/, ""),
  base64url: encodeBase64Url,
  base58btc: (bytes) => `z${encodeBase58btc(bytes)}`,
  "multibase base64": (bytes) => `m${encodeBase64(bytes)}`,
  "multibase hex": (bytes) => `f${encodeHex(bytes)}`,
  hex: (bytes) => `0x${encodeHex(bytes)}`,
  HEX: (bytes) => `0x${encodeHex(bytes).toUpperCase()}`,
};

test("a random signature, raw or DER, reads one way only in every accepted spelling, whatever character it starts with [decision I9] [V-DEC-280] [V-DEC-281] [V-DEC-282] [V-DEC-284]", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const startsLike = { z: 0, m: 0, f: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const raw = new Uint8Array(sign("sha256", randomBytes(16), { key: privateKey, dsaEncoding: "ieee-p1363" }));
    const expected = encodeHex(raw);
    const first = encodeBase64Url(raw)[0] as string;
    if (first in startsLike) startsLike[first as keyof typeof startsLike] += 1;
    for (const bytes of [raw, rawToDer(raw)]) {
      for (const [spelling, spell] of Object.entries(SPELLINGS)) {
        const text = spell(bytes);
        const readings = signatureCandidates(text);
        // Two readings of the same bytes are harmless; two readings of different bytes must never occur.
        if (readings.length !== 1 || encodeHex(readings[0]!.bytes64) !== expected) {
          assert.fail(`${spelling} of ${expected} has ${readings.length} readings: ${text}`);
        }
      }
    }
  }
  // One in 64 each: the test includes texts that mislead a reader who trusts the first character.
  assert.ok(
    Object.values(startsLike).every((count) => count > ROUNDS / 256),
    JSON.stringify(startsLike),
  );
});

test("a random key reads as one point in every accepted spelling [decision I9] [V-DEC-286] [V-DEC-288]", () => {
  for (let round = 0; round < Math.ceil(ROUNDS / 100); round += 1) {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    const [bytesX, bytesY] = [x, y].map((part) => Buffer.from(part as string, "base64url")) as [Buffer, Buffer];
    const point = new Uint8Array(Buffer.concat([Uint8Array.of(4), bytesX, bytesY]));
    const compressed = new Uint8Array(
      Buffer.concat([Uint8Array.of((bytesY.at(-1) as number) % 2 === 0 ? 2 : 3), bytesX]),
    );
    const multikey = new Uint8Array([0x80, 0x24, ...compressed]);
    for (const bytes of [point, compressed, multikey, pointToSpki(point)]) {
      const bare = bytes === multikey ? [] : ["base64", "base64 without padding", "base64url"];
      for (const spelling of [...bare, "base58btc", "multibase base64", "multibase hex", "hex", "HEX"]) {
        const text = (SPELLINGS[spelling] as (bytes: Uint8Array) => string)(bytes);
        assert.equal(encodeHex(decodePublicKey(text).point), encodeHex(point), `${spelling}: ${text}`);
      }
    }
    assert.equal(encodeHex(decodePublicKey(`z${encodeHex(pointToSpki(point))}`).point), encodeHex(point), "z and hex");
  }
});

/** r and s as strict DER, by an independent implementation. */
function rawToDer(raw: Uint8Array): Uint8Array {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].map((half) => {
    const start = half.findIndex((byte) => byte !== 0);
    const magnitude = half.subarray(start);
    const content = (magnitude[0] as number) >= 0x80 ? [0, ...magnitude] : [...magnitude];
    return [2, content.length, ...content];
  });
  const body = integers.flat();
  return Uint8Array.from([0x30, body.length, ...body]);
}
