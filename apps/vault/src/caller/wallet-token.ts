import {
  createVerifyWalletToken,
  type VerifyWalletToken,
  type WalletTokenDeps,
} from "@dataspace/clients/verify-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";
import type { OwnerKey } from "../store/key-rows.ts";
import { invalidToken } from "./bearer-token.ts";

/** `findVault` tells whether an eName has its vault here, `listKeys` gives the keys in force of one that has, at this moment. */
export interface VaultTokenDeps extends Omit<WalletTokenDeps, "findOwnPoints" | "refuse"> {
  readonly findVault: (ename: EName) => Promise<unknown>;
  readonly listKeys: (ename: EName) => Promise<readonly OwnerKey[]>;
}

/**
 * Makes the vault's verifier of wallet tokens. For an eName with its vault here the key log is asked at each request, so a
 * removed key stops at once; another's certified keys are found by way of the registry and kept at most 300 s.
 *
 * Refuses: INVALID_TOKEN, REGISTRY_UNAVAILABLE. Source: decisions I4, I6, V2.
 */
export function createVerifyAtVault({ findVault, listKeys, ...deps }: VaultTokenDeps): VerifyWalletToken {
  return createVerifyWalletToken({
    ...deps,
    findOwnPoints: async (ename) => {
      if ((await findVault(ename)) === undefined) return undefined;
      return (await listKeys(ename)).map(({ point }) => Buffer.from(point, "hex"));
    },
    refuse: (code, message) => (code === "INVALID_TOKEN" ? invalidToken(message) : refusal(code, message)),
  });
}
