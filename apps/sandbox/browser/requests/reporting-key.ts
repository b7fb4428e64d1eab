import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** The part of a wallet's key that signs. */
export type SigningKey = Pick<WalletKey, "sign" | "encoding">;

/**
 * Wraps a key so that each signature is reported when it is made, whatever happens to it afterwards. Refuses: as the
 * key.
 *
 * Source: decision I10.
 */
export function reportingKey(key: SigningKey, onSigned: () => void): SigningKey {
  return {
    encoding: key.encoding,
    sign: async (data) => {
      const signature = await key.sign(data);
      onSigned();
      return signature;
    },
  };
}
