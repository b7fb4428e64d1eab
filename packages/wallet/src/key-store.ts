import type { WalletKey } from "./wallet-key.ts";

/**
 * Where a wallet stores its keys, each under the wallet's id for the identity.
 *
 * `ensure` returns the stored key, and creates it first where there is none; `remove` succeeds also where there is
 * none.
 */
export interface KeyStore {
  readonly ensure: (id: string) => Promise<WalletKey>;
  readonly load: (id: string) => Promise<WalletKey | undefined>;
  readonly remove: (id: string) => Promise<void>;
}

/**
 * Makes a store in memory, for tests and for keys that need not outlive a page.
 *
 * In: `createKey`, which creates the kind of key.
 * Refuses: errors of `createKey`.
 */
export function createMemoryKeyStore(deps: { readonly createKey: () => WalletKey | Promise<WalletKey> }): KeyStore {
  // Promises, so that two concurrent calls get one key.
  const keys = new Map<string, Promise<WalletKey>>();
  const make = (id: string): Promise<WalletKey> => {
    const made = Promise.resolve(deps.createKey());
    keys.set(id, made);
    made.catch(() => keys.delete(id));
    return made;
  };
  return {
    ensure: (id) => keys.get(id) ?? make(id),
    load: async (id) => keys.get(id),
    remove: async (id) => {
      keys.delete(id);
    },
  };
}
