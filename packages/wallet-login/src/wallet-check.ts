import { type FindCertifiedKeys, isUnknownEName } from "@dataspace/clients/certified-keys";
import { findEncoding } from "@dataspace/clients/has-signed";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify, SignatureEncoding } from "@dataspace/protocol/signature";
import type { WalletAnswer } from "./wallet-answer.ts";

/** Who signed a session, and the encoding of the signature. */
export interface Signer {
  readonly ename: EName;
  readonly encoding: SignatureEncoding;
}

/** Why an answer does not hold. The last two say that the registry or the vault could not be asked. */
export type CheckFailure =
  | "bad_signature"
  | "no_certificate"
  | "unknown_ename"
  | "upstream_timeout"
  | "upstream_unavailable";

/** What a check found. */
export type CheckOutcome<Signed> = { readonly signed: Signed } | { readonly failure: CheckFailure };

/** Checks a wallet's answer. A failure is a value. */
export type CheckAnswer = (answer: WalletAnswer) => Promise<CheckOutcome<Signer>>;

/** What the check needs. `onUnavailable` receives the error that made the keys unavailable, for a log. */
export interface WalletCheckDeps {
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  readonly onUnavailable: (error: UpstreamError) => void;
}

/**
 * Makes the check in its four steps: the registry resolves the eName, its vault lists the key binding certificates, the registry's
 * keys verify them, and one of the certified keys signed the session. Certificates are fetched for each answer.
 *
 * The check does not say which upstream failed: an answer that did would let strangers probe the network.
 * Refuses: errors of this program only. Source: S2 "Authentication"; decision I9.
 */
export function createWalletCheck({ findCertifiedKeys, verifyEcdsa, onUnavailable }: WalletCheckDeps): CheckAnswer {
  return async ({ ename, session, signature }) => {
    try {
      const keys = await findCertifiedKeys(ename, { fresh: true });
      if (keys.length === 0) return { failure: "no_certificate" };
      const encoding = await findEncoding(verifyEcdsa, keys, { text: session, signature });
      return encoding === undefined ? { failure: "bad_signature" } : { signed: { ename, encoding } };
    } catch (error) {
      if (isUnknownEName(error)) return { failure: "unknown_ename" };
      if (!(error instanceof UpstreamError)) throw error;
      onUnavailable(error);
      return { failure: error.code === "timeout" ? "upstream_timeout" : "upstream_unavailable" };
    }
  };
}
