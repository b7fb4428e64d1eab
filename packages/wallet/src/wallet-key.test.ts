import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import vectors from "../../../vectors/signature.json" with { type: "json" };
import { createNodeCryptoKey, importNodeCryptoKey } from "./node-crypto-key.ts";
import { createWalletKey, importWalletKey, type PrivateJwk, type WalletKey } from "./wallet-key.ts";

/** The kinds of key, each with its creation and restoration. */
const KINDS = {
  WebCrypto: {
    create: () => createWalletKey({ exportable: true }),
    restore: (jwk: PrivateJwk) => importWalletKey(jwk, { exportable: true }),
  },
  "node:crypto": {
    create: async () => createNodeCryptoKey(),
    restore: async (jwk: PrivateJwk) => importNodeCryptoKey(jwk),
  },
} as const;

const ONE_OF_P384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export({ format: "jwk" });

for (const [kind, { create, restore }] of Object.entries(KINDS)) {
  test(`a key of ${kind} is new each time, its public half z and base58btc of SPKI [S1, decision I9] [V-KEY-001]`, async () => {
    const [first, second] = await Promise.all([create(), create()]);
    assert.notEqual(first.publicKey, second.publicKey);
    const { encoding, form } = decodePublicKey(first.publicKey);
    assert.deepEqual([first.publicKey[0], encoding, form], ["z", "base58btc", "spki"]);
  });

  test(`a key of ${kind} is restored from its export, which OpenSSL reads as the same key [RFC 7517]`, async () => {
    const key = await create();
    const jwk = await key.exportJwk();
    assert.deepEqual(Object.keys(jwk), ["kty", "crv", "x", "y", "d"]);
    const restored = await restore(JSON.parse(JSON.stringify(jwk)));
    assert.equal(restored.publicKey, key.publicKey);
    assert.deepEqual(await restored.exportJwk(), jwk);
    const spki = createPublicKey(createPrivateKey({ key: { ...jwk }, format: "jwk" })).export({
      type: "spki",
      format: "der",
    });
    assert.deepEqual(Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point)), spki);
    await assertSigns(restored);
  });

  test(`a key of ${kind} is read from a published one [RFC 6979 A.2.5]`, async () => {
    const { privateScalarHex, publicKey } = vectors.foreign;
    const { point } = decodePublicKey(publicKey);
    const [x, y, d] = [point.subarray(1, 33), point.subarray(33), Buffer.from(privateScalarHex, "hex")].map((bytes) =>
      Buffer.from(bytes).toString("base64url"),
    ) as [string, string, string];
    const key = await restore({ kty: "EC", crv: "P-256", x, y, d });
    assert.deepEqual(decodePublicKey(key.publicKey).point, point);
    await assertSigns(key);
  });

  test(`public keys, other curves, halves of two keys and damage are no key of ${kind} [decision I9]`, async () => {
    const [jwk, other] = await Promise.all([create(), create()].map(async (key) => (await key).exportJwk()));
    assert.ok(jwk && other);
    const refused = [
      { ...jwk, d: undefined },
      { ...jwk, crv: "P-384" },
      ONE_OF_P384,
      { ...jwk, d: other.d },
      { ...jwk, x: jwk.x.slice(1) },
      {},
    ];
    for (const damaged of refused) {
      await assert.rejects(async () => restore(damaged as PrivateJwk), { code: "INVALID_PRIVATE_KEY" });
    }
  });
}

test("a key that is not exportable never reveals its private half [V-KEY-006]", async () => {
  const jwk = await (await createWalletKey({ exportable: true })).exportJwk();
  for (const key of [await createWalletKey(), await importWalletKey(jwk)]) {
    await assertSigns(key);
    await assert.rejects(key.exportJwk(), { code: "KEY_NOT_EXPORTABLE" });
  }
});

async function assertSigns(key: WalletKey): Promise<void> {
  const data = new TextEncoder().encode("Ada Ünï ☺");
  const spki = Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point));
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  assert.ok(verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, await key.sign(data)));
}
