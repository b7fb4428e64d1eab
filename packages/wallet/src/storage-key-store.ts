import type { KeyStore } from "./key-store.ts";
import { WalletError } from "./wallet-error.ts";
import { createWalletKey, importWalletKey, type PrivateJwk, type WalletKey } from "./wallet-key.ts";

/** The part of a browser's `Storage` that is used here, for example `localStorage`. */
export interface TextStorage {
  readonly getItem: (name: string) => string | null;
  readonly setItem: (name: string, text: string) => void;
  readonly removeItem: (name: string) => void;
}

/** A store that also accepts keys from elsewhere: `put` stores one and replaces any other of that id. */
export interface StorageKeyStore extends KeyStore {
  readonly put: (id: string, jwk: PrivateJwk) => Promise<void>;
}

const PREFIX = "dataspace-key-";

/**
 * Makes a store of private keys as JSON text, so that they outlive the page and can be exported. Every script of the
 * origin can read them: suitable for test identities only.
 *
 * Refuses: INVALID_PRIVATE_KEY where the text was damaged, and errors of the storage.
 * Source: S3 "Sandbox" (identities in local storage).
 */
export function createStorageKeyStore({ storage }: { readonly storage: TextStorage }): StorageKeyStore {
  const made = new Map<string, Promise<WalletKey>>();
  const load = async (id: string): Promise<WalletKey | undefined> => {
    const text = storage.getItem(PREFIX + id);
    return text === null ? undefined : importWalletKey(readJwk(text), { exportable: true });
  };
  const make = async (id: string): Promise<WalletKey> => {
    const key = await createWalletKey({ exportable: true });
    storage.setItem(PREFIX + id, JSON.stringify(await key.exportJwk()));
    return key;
  };
  return {
    load,
    // Concurrent callers wait for one key: otherwise the later would overwrite the first.
    ensure: (id) => {
      const running =
        made.get(id) ??
        load(id)
          .then((key) => key ?? make(id))
          .finally(() => made.delete(id));
      made.set(id, running);
      return running;
    },
    remove: async (id) => storage.removeItem(PREFIX + id),
    put: async (id, jwk) => {
      const key = await importWalletKey(jwk, { exportable: true });
      storage.setItem(PREFIX + id, JSON.stringify(await key.exportJwk()));
    },
  };
}

function readJwk(text: string): PrivateJwk {
  try {
    return JSON.parse(text) as PrivateJwk;
  } catch (cause) {
    throw new WalletError("INVALID_PRIVATE_KEY", "The stored key is damaged. Restore the wallet's export.", { cause });
  }
}
