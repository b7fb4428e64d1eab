import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** A request without PKCE is refused. */
export const ensureRequestWithoutPkceFails: HarnessModule = {
  name: "ensure-request-without-pkce-fails",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A request without PKCE is refused",
  run: async (target) => {
    const parameters = { code_challenge: undefined, code_challenge_method: undefined };
    assertNotStarted(await startLogin(target, { parameters }), "invalid_request");
    return PASSED;
  },
};
