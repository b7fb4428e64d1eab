import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, exchangeCode, logIn } from "../../log-in.ts";

/** A code used again after a second is refused. */
export const attemptReuseAuthorizationCodeAfterOneSecond: HarnessModule = {
  name: "attempt-reuse-authorization-code-after-one-second",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A code used again after a second is refused",
  run: async (target) => {
    const { attempt, code } = await logIn(target);
    await target.wait(1);
    assertRefused(await exchangeCode(target, { attempt, code }), "invalid_grant");
    return PASSED;
  },
};
