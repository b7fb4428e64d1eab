import type { WalletTokenUse } from "@dataspace/protocol/wallet-token";

/**
 * The one writing request of a wallet token. `spent` becomes true with the first committed write, so that all mutations
 * of one request share it while a later request is refused. Source: decision I6.
 */
export interface TokenUse extends WalletTokenUse {
  spent: boolean;
}
