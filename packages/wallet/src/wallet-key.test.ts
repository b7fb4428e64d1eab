import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { test } from "node:test";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import vectors from "../../../vectors/signature.json" with { type: "json" };
import { createWalletKey, exportWalletKey, importWalletKey } from "./wallet-key.ts";

test("createWalletKey() makes a new P-256 key each time, its public half z and base58btc of SPKI [S1, decision I9]", async () => {
  const [first, second] = await Promise.all([createWalletKey(), createWalletKey()]);
  assert.notEqual(first.publicKey, second.publicKey);
  const { encoding, form } = decodePublicKey(first.publicKey);
  assert.deepEqual([first.publicKey[0], encoding, form], ["z", "base58btc", "spki"]);
});

test("importWalletKey() gives back the pair that exportWalletKey() wrote, which OpenSSL reads as the same key [RFC 7517]", async () => {
  const key = await createWalletKey();
  const jwk = await exportWalletKey(key);
  assert.deepEqual(Object.keys(jwk), ["kty", "crv", "x", "y", "d"]);
  const restored = await importWalletKey(JSON.parse(JSON.stringify(jwk)));
  assert.equal(restored.publicKey, key.publicKey);
  assert.deepEqual(await exportWalletKey(restored), jwk);
  const byOpenSsl = createPublicKey(createPrivateKey({ key: { ...jwk }, format: "jwk" }));
  const spki = byOpenSsl.export({ type: "spki", format: "der" });
  assert.deepEqual(Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point)), spki);
});

test("importWalletKey() reads a published key [RFC 6979 A.2.5]", async () => {
  const { privateScalarHex, publicKey } = vectors.foreign;
  const { point } = decodePublicKey(publicKey);
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), Buffer.from(privateScalarHex, "hex")].map((bytes) =>
    Buffer.from(bytes).toString("base64url"),
  ) as [string, string, string];
  const key = await importWalletKey({ kty: "EC", crv: "P-256", x, y, d });
  assert.deepEqual(decodePublicKey(key.publicKey).point, point);
});

test("importWalletKey() refuses public keys, other curves, halves of two keys and damage [decision I9]", async () => {
  const [jwk, other] = await Promise.all([
    createWalletKey().then(exportWalletKey),
    createWalletKey().then(exportWalletKey),
  ]);
  const refused = [
    { ...jwk, d: undefined },
    { ...jwk, crv: "P-384" },
    { ...jwk, d: other.d },
    { ...jwk, x: jwk.x.slice(1) },
    {},
  ];
  for (const damaged of refused) {
    await assert.rejects(importWalletKey(damaged as typeof jwk), { code: "INVALID_PRIVATE_KEY" });
  }
});
