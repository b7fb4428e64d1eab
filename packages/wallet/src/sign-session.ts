import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { isSignableSession } from "@dataspace/protocol/wallet-uri";
import { signText } from "./sign-text.ts";
import type { WalletKey } from "./wallet-key.ts";

/**
 * Signs the session of a login (`ds://auth`) or of a `ds://sign` without data.
 *
 * Refuses: INVALID_SESSION for text that is not 16 to 128 characters of `[A-Za-z0-9_-]`: a login must never sign what
 * reads as a deployment, a policy, a binding document or a token.
 * Source: decision I8.
 */
export async function signSession(
  key: WalletKey,
  session: string,
  encoding: "base64" | "base58btc" = "base64",
): Promise<string> {
  if (!isSignableSession(session)) {
    throw new ProtocolError(
      "INVALID_SESSION",
      "This is not a login session, so the wallet does not sign it. A session is 16 to 128 letters, digits, - or _.",
    );
  }
  return signText(key, session, encoding);
}
