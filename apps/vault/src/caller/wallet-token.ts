import {
  createVerifyWalletToken,
  type VerifyWalletToken,
  type WalletTokenDeps,
} from "@dataspace/clients/verify-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";
import type { OwnerKey } from "../store/key-rows.ts";
import { invalidToken } from "./bearer-token.ts";

/** `findVault` finds whether an eName has its vault here; `listKeys` returns its current keys in force. */
export interface VaultTokenDeps extends Omit<WalletTokenDeps, "findOwnPoints" | "refuse"> {
  readonly findVault: (ename: EName) => Promise<unknown>;
  readonly listKeys: (ename: EName) => Promise<readonly OwnerKey[]>;
}

/**
 * Makes the vault's verifier of wallet tokens. For an eName with its vault here it reads the key log at each request,
 * so a removed key is refused at once. The certified keys of another eName are looked up through the registry and
 * cached for at most 300 s.
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
