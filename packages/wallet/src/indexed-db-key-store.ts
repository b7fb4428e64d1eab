import type { KeyStore } from "./key-store.ts";
import { createKeyPair, type KeyPair, pairToWalletKey } from "./wallet-key.ts";

/** The part of a browser's `indexedDB` that is used here. */
export interface KeyDatabases {
  open(name: string, version: number): KeyRequest<KeyDatabase>;
}

interface KeyDatabase {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: "readonly" | "readwrite", options: { readonly durability: "strict" }): KeyTransaction;
}

interface KeyTransaction extends Listened {
  readonly error: Error | null;
  objectStore(name: string): Keys;
}

interface Keys {
  get(id: string): KeyRequest<unknown>;
  put(pair: unknown, id: string): unknown;
  delete(id: string): unknown;
}

interface KeyRequest<Result> extends Listened {
  readonly result: Result;
  readonly error: Error | null;
}

interface Listened {
  addEventListener(type: string, listener: () => void): void;
}

const DATABASE = "dataspace-wallet";
const KEYS = "keys";
// A write is on disk before it is used.
const STRICT = { durability: "strict" } as const;

/**
 * Makes a store for a browser in which no script, not even the wallet's, can read a private key. The keys are stored in
 * IndexedDB and outlive the page. All tabs of an origin share them.
 *
 * In: the browser's `indexedDB`. Refuses: errors of IndexedDB, such as a full disk.
 * Source: decision I9; W3C WebCrypto section 5 (keys are stored by structured clone).
 */
export function createIndexedDbKeyStore({ indexedDB }: { readonly indexedDB: KeyDatabases }): KeyStore {
  let opening: Promise<KeyDatabase> | undefined;
  const open = (): Promise<KeyDatabase> => {
    opening ??= openDatabase(indexedDB).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const find = async (id: string): Promise<KeyPair | undefined> => {
    const keys = (await open()).transaction(KEYS, "readonly", STRICT).objectStore(KEYS);
    return (await toPromise(keys.get(id))) as KeyPair | undefined;
  };
  return {
    load: async (id) => {
      const pair = await find(id);
      return pair && pairToWalletKey(pair);
    },
    ensure: async (id) => {
      const pair = (await find(id)) ?? (await keep(await open(), id, await createKeyPair(false)));
      return pairToWalletKey(pair);
    },
    remove: async (id) => {
      await write(await open(), (keys) => keys.delete(id));
    },
  };
}

// Of two tabs that create a key at once, one is first; the other uses that key.
async function keep(database: KeyDatabase, id: string, made: KeyPair): Promise<KeyPair> {
  let stored = made;
  await write(database, (keys) => {
    const known = keys.get(id);
    known.addEventListener("success", () => {
      if (known.result === undefined) keys.put(made, id);
      else stored = known.result as KeyPair;
    });
  });
  return stored;
}

function openDatabase(indexedDB: KeyDatabases): Promise<KeyDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(KEYS));
  return toPromise(request);
}

/** Resolves when the write is durable. */
function write(database: KeyDatabase, act: (keys: Keys) => unknown): Promise<void> {
  const transaction = database.transaction(KEYS, "readwrite", STRICT);
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new Error("The key store aborted the operation.")),
    );
    act(transaction.objectStore(KEYS));
  });
}

function toPromise<Result>(request: KeyRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The key store aborted the operation.")));
  });
}
