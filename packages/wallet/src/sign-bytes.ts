import { derSignatureToRaw, isInRange } from "@dataspace/protocol/der-signature";
import { WalletError } from "./wallet-error.ts";
import type { WalletKey } from "./wallet-key.ts";

/**
 * Signs bytes with any WalletKey.
 *
 * Out: r and s, 32 bytes each, also where the key returns DER.
 * Refuses: KEY_FAILED when the key throws, or returns something other than a P-256 signature.
 * Source: decision I9; RFC 7518 section 3.4.
 */
export async function signBytes(key: Pick<WalletKey, "sign">, data: Uint8Array): Promise<Uint8Array> {
  const given = await ask(key, data);
  const raw = given.length === 64 ? given : derSignatureToRaw(given);
  if (raw !== undefined && isInRange(raw)) return raw;
  throw new WalletError("KEY_FAILED", "The key did not return a P-256 signature. Use another key.");
}

async function ask(key: Pick<WalletKey, "sign">, data: Uint8Array): Promise<Uint8Array> {
  try {
    return await key.sign(data);
  } catch (cause) {
    throw new WalletError("KEY_FAILED", "The key did not sign. Unlock it, or use another, and try again.", { cause });
  }
}
