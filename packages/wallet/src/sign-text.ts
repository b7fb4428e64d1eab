import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { encodeBase64 } from "@dataspace/protocol/base64";
import { rawSignatureToDer } from "@dataspace/protocol/der-signature";
import { signBytes } from "./sign-bytes.ts";
import type { WalletKey } from "./wallet-key.ts";

/**
 * Signs the UTF-8 bytes of a text with ECDSA P-256 and SHA-256.
 *
 * In: the text exactly as it was shown. Out: in the key's encoding: base64 of r and s, 32 bytes each, or `z` and base58btc of DER.
 * Older validators read `z` and the base58btc of r and s as base64.
 * Refuses: KEY_FAILED.
 * Source: decision I9; S2 wallet signatures; ecosystem.md section 16.
 */
export async function signText(key: Pick<WalletKey, "sign" | "encoding">, text: string): Promise<string> {
  const raw = await signBytes(key, new TextEncoder().encode(text));
  return key.encoding === "base64" ? encodeBase64(raw) : `z${encodeBase58btc(rawSignatureToDer(raw))}`;
}
