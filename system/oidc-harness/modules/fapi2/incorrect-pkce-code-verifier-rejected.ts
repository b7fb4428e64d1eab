import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, randomText, startLogin } from "../../log-in.ts";

/** A code is not exchanged with another verifier. */
export const incorrectPkceCodeVerifierRejected: HarnessModule = {
  name: "incorrect-pkce-code-verifier-rejected",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A code is not exchanged with another verifier",
  run: async (target) => {
    for (const code_verifier of [randomText(), "short", ""]) {
      const attempt = await startLogin(target);
      const code = await collectCode(target, attempt);
      const answer = await exchangeCode(target, { attempt, code }, { parameters: { code_verifier } });
      assertRefused(answer, "invalid_grant", "invalid_request");
    }
    return PASSED;
  },
};
