import { type FindCertifiedKeys, isUnknownEName } from "@dataspace/clients/certified-keys";
import { findEncoding } from "@dataspace/clients/has-signed";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Profile } from "../provider/account-claims.ts";
import type { AnswerOutcome } from "./login-entry.ts";

/** What a wallet sends. */
export interface WalletAnswer {
  readonly ename: EName;
  readonly session: string;
  readonly signature: string;
}

/** Checks a wallet's answer and reads the signer's profile. Refuses: never; a failure is an outcome. */
export type CheckWalletAnswer = (answer: WalletAnswer) => Promise<AnswerOutcome>;

/** The dependencies of the check. */
export interface WalletCheckDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  /** Never refuses: what cannot be read is left out. */
  readonly readProfile: (ename: EName) => Promise<Profile>;
}

/**
 * Makes the check of S2 "Authentication": the registry resolves the eName, its vault lists the certificates, the
 * registry's keys verify them, and a certified key signed the session. Certificates are requested again at each login.
 *
 * The profile is read in parallel, so that a slow vault does not delay a login twice. Source: S2 "Authentication",
 * "Claims".
 */
export function createWalletCheck(deps: WalletCheckDeps): CheckWalletAnswer {
  const { clock, findCertifiedKeys, verifyEcdsa } = deps;
  return async ({ ename, session, signature }) => {
    const reading = deps.readProfile(ename);
    try {
      const keys = await findCertifiedKeys(ename, { fresh: true });
      if (keys.length === 0) return { failure: "no_certificate" };
      const encoding = await findEncoding(verifyEcdsa, keys, { text: session, signature });
      if (encoding === undefined) return { failure: "bad_signature" };
      const signedAtSeconds = Math.floor(clock.nowMs() / 1000);
      const amr = encoding === "base58btc" ? "hwk" : "swk";
      return { signed: { ename, amr, signedAtSeconds, profile: await reading } };
    } catch (error) {
      if (isUnknownEName(error)) return { failure: "unknown_ename" };
      if (!(error instanceof UpstreamError)) throw error;
      // Which of them does not answer is for the log only: an answer that says so would probe networks.
      deps.log.warn({ err: error }, "the certified keys of an eName are not available");
      return { failure: error.code === "timeout" ? "upstream_timeout" : "upstream_unavailable" };
    }
  };
}
