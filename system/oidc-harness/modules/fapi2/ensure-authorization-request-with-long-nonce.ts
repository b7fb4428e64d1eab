import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** A nonce of 384 characters comes back unchanged. */
export const ensureAuthorizationRequestWithLongNonce: HarnessModule = {
  name: "ensure-authorization-request-with-long-nonce",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A nonce of 384 characters comes back unchanged",
  run: async (target) => {
    await logIn(target, { parameters: { nonce: "n".repeat(384) } });
    return PASSED;
  },
};
