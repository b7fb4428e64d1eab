import { isSignableSession } from "@dataspace/protocol/wallet-uri";
import { signText } from "./sign-text.ts";
import { WalletError } from "./wallet-error.ts";
import type { WalletKey } from "./wallet-key.ts";

/**
 * Signs the session of a login (`ds://auth`) or of a `ds://sign` without data.
 *
 * Refuses: INVALID_SESSION for text that is not 16 to 128 characters of `[A-Za-z0-9_-]`, so that a login never signs a
 * deployment, a policy, a binding document or a token; KEY_FAILED.
 * Source: decision I8.
 */
export async function signSession(key: Pick<WalletKey, "sign" | "encoding">, session: string): Promise<string> {
  assertSession(session);
  return signText(key, session);
}

/** Refuses a text that wallets do not sign as a session: INVALID_SESSION. Source: decision I8. */
export function assertSession(session: string): void {
  if (isSignableSession(session)) return;
  throw new WalletError(
    "INVALID_SESSION",
    "This is not a login session, so the wallet does not sign it. A session is 16 to 128 letters, digits, - or _; ask the platform for a new code.",
  );
}
