import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryKeyStore, type KeyStore } from "./key-store.ts";
import { createNodeCryptoKey } from "./node-crypto-key.ts";
import { createStorageKeyStore, type TextStorage } from "./storage-key-store.ts";
import { createWalletKey } from "./wallet-key.ts";

/** A `localStorage` in memory. */
function createTextStorage(): TextStorage & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}

const STORES: Readonly<Record<string, () => KeyStore>> = {
  "in memory, of WebCrypto": () => createMemoryKeyStore({ createKey: createWalletKey }),
  "in memory, of node:crypto": () => createMemoryKeyStore({ createKey: createNodeCryptoKey }),
  "of a browser's storage": () => createStorageKeyStore({ storage: createTextStorage() }),
};

for (const [name, createStore] of Object.entries(STORES)) {
  test(`a key store ${name} creates one key for each id, and deletes removed ones`, async () => {
    const store = createStore();
    assert.equal(await store.load("ada"), undefined);
    const [first, again, other] = await Promise.all(["ada", "ada", "bob"].map(store.ensure));
    assert.equal(again?.publicKey, first?.publicKey);
    assert.notEqual(other?.publicKey, first?.publicKey);
    assert.equal((await store.ensure("ada")).publicKey, first?.publicKey);
    assert.equal((await store.load("ada"))?.publicKey, first?.publicKey);
    await store.remove("ada");
    await store.remove("nobody");
    assert.equal(await store.load("ada"), undefined);
    assert.notEqual((await store.ensure("ada")).publicKey, first?.publicKey);
    assert.equal((await store.load("bob"))?.publicKey, other?.publicKey);
  });
}

test("a store in a browser's storage finds its keys after a reload, and refuses damaged ones [S3 Sandbox] [P-SBX-011]", async () => {
  const storage = createTextStorage();
  const key = await createStorageKeyStore({ storage }).ensure("ada");
  const restored = await createStorageKeyStore({ storage }).load("ada");
  assert.deepEqual(await restored?.exportJwk(), await key.exportJwk());
  for (const text of ["{", "{}", "null"]) {
    for (const name of storage.texts.keys()) storage.texts.set(name, text);
    const store = createStorageKeyStore({ storage });
    await assert.rejects(store.load("ada"), { code: "INVALID_PRIVATE_KEY" });
    await assert.rejects(store.ensure("ada"), { code: "INVALID_PRIVATE_KEY" }, "it is not written over");
  }
});

test("a key that could not be made is tried again", async () => {
  let failures = 1;
  const store = createMemoryKeyStore({
    createKey: async () => {
      if (failures-- > 0) throw new Error("locked");
      return createWalletKey();
    },
  });
  await assert.rejects(store.ensure("ada"), /locked/);
  assert.ok((await store.ensure("ada")).publicKey);
});

test("a storage key store stores a key from elsewhere, and refuses an invalid key [S3 Sandbox]", async () => {
  const keys = createStorageKeyStore({ storage: createTextStorage() });
  const made = await createWalletKey({ exportable: true });
  await keys.put("ada", await made.exportJwk());
  assert.equal((await keys.load("ada"))?.publicKey, made.publicKey);
  await assert.rejects(keys.put("eve", { kty: "EC", crv: "P-256", x: "a", y: "b", d: "c" }), {
    code: "INVALID_PRIVATE_KEY",
  });
  assert.equal(await keys.load("eve"), undefined);
});
