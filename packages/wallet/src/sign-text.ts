import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { encodeBase64 } from "@dataspace/protocol/base64";
import type { WalletKey } from "./wallet-key.ts";

/**
 * Signs the UTF-8 bytes of a text with ECDSA P-256 and SHA-256.
 *
 * In: the text exactly as it was shown; `encoding` base64 as software wallets write, or base58btc (with `z`) as hardware
 * wallets do. Out: r and s, 32 bytes each, as text.
 * Refuses: never.
 * Source: decision I9; S2 wallet signatures.
 */
export async function signText(
  key: WalletKey,
  text: string,
  encoding: "base64" | "base58btc" = "base64",
): Promise<string> {
  const data = new TextEncoder().encode(text);
  const raw = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key.privateKey, data));
  return encoding === "base64" ? encodeBase64(raw) : `z${encodeBase58btc(raw)}`;
}
