import type { WalletTokenUse } from "@dataspace/protocol/wallet-token";

/**
 * A wallet token's one writing request. `spent` turns true with the first write that commits, so that all mutations of one
 * request share it while a later request is refused. Source: decision I6.
 */
export interface TokenUse extends WalletTokenUse {
  spent: boolean;
}
