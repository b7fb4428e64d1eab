import type { StorageKeyStore } from "@dataspace/wallet/storage-key-store";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { Identities, Identity } from "./identity/identities.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

/** The identities of this browser and their keys. */
export interface Wallet {
  readonly identities: Identities;
  readonly keys: StorageKeyStore;
  /** Loads an identity's key. Refuses: an Error when the browser has lost it. */
  readonly keyOf: (identity: Pick<Identity, "keyId" | "ename">) => Promise<WalletKey>;
}

/** Combines the two. Refuses: never. */
export function createWallet(identities: Identities, keys: StorageKeyStore): Wallet {
  return {
    identities,
    keys,
    keyOf: async ({ keyId, ename }) => {
      const key = await keys.load(keyId);
      if (key !== undefined) return key;
      throw new Error(PAGE_TEXTS.lostKey(ename));
    },
  };
}
