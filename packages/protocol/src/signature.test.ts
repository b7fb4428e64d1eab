import assert from "node:assert/strict";
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import vectors from "../../../vectors/signature.json" with { type: "json" };
import { decodeHex, encodeHex } from "./hex.ts";
import { decodePublicKey, pointToSpki } from "./public-key.ts";
import { signatureCandidates, verifySignature } from "./signature.ts";

const { own, foreign } = vectors;

test("signatureCandidates() reads the same r and s from every accepted spelling [S2, decision I9] [V-DEC-280] [V-DEC-281] [V-DEC-282]", () => {
  for (const [name, text] of Object.entries(own.accept)) {
    assert.deepEqual(
      signatureCandidates(text).map(({ bytes64 }) => encodeHex(bytes64)),
      [own.rawHex],
      name,
    );
  }
});

test("signatureCandidates() finds no reading of malformed text [decision I9] [V-DEC-285]", () => {
  const more = {
    short: "z123456789",
    long: "A".repeat(161),
    M_prefix: own.accept.m_raw.replace("m", "M"),
    space: ` ${own.accept.base64}`,
  };
  for (const [name, text] of Object.entries({ ...own.malformed, ...more })) {
    assert.deepEqual(signatureCandidates(text), [], name);
  }
});

test("verifySignature() names the encoding that verified [S2 amr, decision I9]", async () => {
  const expected = {
    base64: "base64",
    base64url: "base64",
    z_raw: "base58btc",
    m_raw: "multibase-base64",
    f_raw: "multibase-hex",
    der_base64: "base64",
    der_base64url: "base64",
    z_der: "base58btc",
    m_der: "multibase-base64",
  };
  for (const [name, encoding] of Object.entries(expected)) {
    assert.equal(await check(own.accept[name as keyof typeof expected]), encoding, name);
  }
  assert.equal(await check(`0x${own.rawHex}`), "hex");
});

test("verifySignature() accepts the other S too, and refuses a signature of another message [decision I9] [V-DEC-283]", async () => {
  assert.equal(await check(own.acceptOtherS), "base64");
  assert.equal(signatureCandidates(own.wrong).length, 1);
  assert.equal(await check(own.wrong), undefined);
});

test("verifySignature() verifies signatures that others published [RFC 6979 A.2.5]", async () => {
  const key = importKey(foreign.publicKey);
  for (const { message, rawHex } of foreign.signatures) {
    const data = Buffer.from(message);
    assert.equal(await verifySignature(byOpenSsl, { key, data, signature: `f${rawHex}` }), "multibase-hex");
    assert.equal(
      await verifySignature(byOpenSsl, { key, data: Buffer.from("other"), signature: `f${rawHex}` }),
      undefined,
    );
  }
});

test("signatureCandidates() never throws and only returns readings of 64 bytes [decision I9]", () => {
  const unit = fc.constantFrom(..."zmf0xMEQCIabc123+/-_=AB");
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit, minLength: 80, maxLength: 150 })), (text) => {
      assert.ok(signatureCandidates(text).every(({ bytes64 }) => bytes64.length === 64));
    }),
    { numRuns: 2000 },
  );
});

function check(signature: string): Promise<string | undefined> {
  return verifySignature(byOpenSsl, { key: importKey(own.publicKey), data: Buffer.from(own.message), signature });
}

function importKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(pointToSpki(decodePublicKey(text).point)), format: "der", type: "spki" });
}

function byOpenSsl(key: KeyObject, data: Uint8Array, raw64: Uint8Array): boolean {
  assert.deepEqual(decodeHex(encodeHex(raw64)), Uint8Array.from(raw64));
  return verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, raw64);
}
