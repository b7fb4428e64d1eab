import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** PKCE with plain, with no method or with an unknown method is refused. */
export const ensurePlainPkceFails: HarnessModule = {
  name: "ensure-plain-pkce-fails",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "PKCE with plain, with no method or with an unknown method is refused",
  run: async (target) => {
    for (const code_challenge_method of ["plain", undefined, "s256", ""]) {
      const attempt = await startLogin(target, { parameters: { code_challenge_method } });
      assertNotStarted(attempt, "invalid_request");
    }
    return PASSED;
  },
};
