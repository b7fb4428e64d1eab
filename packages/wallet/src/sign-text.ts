import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { encodeBase64 } from "@dataspace/protocol/base64";
import { signBytes } from "./sign-bytes.ts";
import type { WalletKey } from "./wallet-key.ts";

/**
 * Signs the UTF-8 bytes of a text with ECDSA P-256 and SHA-256.
 *
 * In: the text exactly as it was shown. Out: r and s, 32 bytes each, in the key's encoding: base64, or `z` and base58btc.
 * Refuses: KEY_FAILED.
 * Source: decision I9; S2 wallet signatures.
 */
export async function signText(key: Pick<WalletKey, "sign" | "encoding">, text: string): Promise<string> {
  const raw = await signBytes(key, new TextEncoder().encode(text));
  return key.encoding === "base64" ? encodeBase64(raw) : `z${encodeBase58btc(raw)}`;
}
