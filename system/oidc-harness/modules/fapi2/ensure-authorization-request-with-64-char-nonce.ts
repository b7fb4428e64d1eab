import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** A nonce of 64 characters comes back unchanged. */
export const ensureAuthorizationRequestWith64CharNonce: HarnessModule = {
  name: "ensure-authorization-request-with-64-char-nonce",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A nonce of 64 characters comes back unchanged",
  run: async (target) => {
    await logIn(target, { parameters: { nonce: "n".repeat(64) } });
    return PASSED;
  },
};
