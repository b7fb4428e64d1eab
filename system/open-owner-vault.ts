import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import { createWalletCredential } from "@dataspace/vault-client/wallet-credential";
import type { EName } from "@dataspace/protocol/ename";
import type { VaultClient } from "@dataspace/vault-client/vault-client";
import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** Opens an owner's vault with the key of the owner's wallet. Refuses: never; its calls reject with a VaultError. Source: decision I4. */
export function openOwnerVault(
  { registryUrl }: { readonly registryUrl: string },
  owner: { readonly ename: EName; readonly key: WalletKey },
): VaultClient {
  return createVaultClients({ registryUrl, credential: createWalletCredential(owner) }).vault(owner.ename);
}
