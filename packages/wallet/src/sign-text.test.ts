import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { decodeBase58btc } from "@dataspace/protocol/base58btc";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { type SignatureEncoding, verifySignature } from "@dataspace/protocol/signature";
import { signText } from "./sign-text.ts";
import { createWalletKey, type WalletKey } from "./wallet-key.ts";

test("signText() signs the UTF-8 bytes, in the key's encoding [S2, decision I9]", async () => {
  const key = await createWalletKey();
  const text = "Ada Ünï ☺";
  const [soft, hard] = await Promise.all([signText(key, text), signText({ ...key, encoding: "base58btc" }, text)]);
  assert.match(soft, /^[A-Za-z0-9+/]{86}==$/);
  assert.match(hard, /^z[1-9A-HJ-NP-Za-km-z]{80,99}$/);
  assert.equal(await check(key, text, soft), "base64");
  assert.equal(await check(key, text, hard), "base58btc");
});

test("signText() writes a z text as base58btc of the DER signature, which OpenSSL reads [decision I9]", async () => {
  const key = await createWalletKey();
  const spki = Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point));
  for (let round = 0; round < 50; round += 1) {
    const text = await signText({ ...key, encoding: "base58btc" }, `text ${round}`);
    const der = decodeBase58btc(text.slice(1)) ?? new Uint8Array();
    const isSigned = verify("sha256", Buffer.from(`text ${round}`), { key: spki, format: "der", type: "spki" }, der);
    assert.deepEqual([text[0], der[0], isSigned], ["z", 0x30, true]);
  }
});

test("signText() signs nothing but that text, with nothing but that key [decision I9]", async () => {
  const [key, other] = await Promise.all([createWalletKey(), createWalletKey()]);
  const signature = await signText(key, "text");
  assert.equal(await check(key, "text ", signature), undefined);
  assert.equal(await check(other, "text", signature), undefined);
});

function check(key: WalletKey, text: string, signature: string): Promise<SignatureEncoding | undefined> {
  const spki = Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point));
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  return verifySignature(
    (signer: typeof publicKey, data, raw64) =>
      verify("sha256", data, { key: signer, dsaEncoding: "ieee-p1363" }, raw64),
    { key: publicKey, data: new TextEncoder().encode(text), signature },
  );
}
