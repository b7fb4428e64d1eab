import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** A state of 384 characters comes back unchanged. */
export const ensureAuthorizationRequestWithLongState: HarnessModule = {
  name: "ensure-authorization-request-with-long-state",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A state of 384 characters comes back unchanged",
  run: async (target) => {
    await logIn(target, { parameters: { state: "s".repeat(384) } });
    return PASSED;
  },
};
