import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, startLogin } from "../../log-in.ts";

/** A code is not exchanged without its verifier. */
export const ensurePkceCodeVerifierRequired: HarnessModule = {
  name: "ensure-pkce-code-verifier-required",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A code is not exchanged without its verifier",
  run: async (target) => {
    const attempt = await startLogin(target);
    const code = await collectCode(target, attempt);
    const answer = await exchangeCode(target, { attempt, code }, { parameters: { code_verifier: undefined } });
    assertRefused(answer, "invalid_grant", "invalid_request");
    return PASSED;
  },
};
