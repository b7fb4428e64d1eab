import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { WalletAnswer } from "@dataspace/wallet-login/wallet-answer";
import type { CheckAnswer, CheckOutcome } from "@dataspace/wallet-login/wallet-check";
import type { Profile, SignedLogin } from "../provider/account-claims.ts";

/** Checks a wallet's answer and reads the signer's profile. A failure is a value. */
export type CheckLogin = (answer: WalletAnswer) => Promise<CheckOutcome<SignedLogin>>;

/** What the check works with. */
export interface CheckLoginDeps {
  readonly clock: Clock;
  readonly check: CheckAnswer;
  /** Never refuses: what cannot be read is absent. */
  readonly readProfile: (ename: EName) => Promise<Profile>;
}

/**
 * Makes the check. The profile is read at the same time as the certificates, so a slow vault does not delay a login twice.
 *
 * Refuses: errors of this program only. Source: S2 "Authentication", "Claims".
 */
export function createCheckLogin({ clock, check, readProfile }: CheckLoginDeps): CheckLogin {
  return async (answer) => {
    const reading = readProfile(answer.ename);
    const outcome = await check(answer);
    if ("failure" in outcome) return outcome;
    const { ename, encoding } = outcome.signed;
    const signedAtSeconds = Math.floor(clock.nowMs() / 1000);
    const amr = encoding === "base58btc" ? "hwk" : "swk";
    return { signed: { ename, amr, signedAtSeconds, profile: await reading } };
  };
}
