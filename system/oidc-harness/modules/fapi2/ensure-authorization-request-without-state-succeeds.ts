import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** The state is optional. */
export const ensureAuthorizationRequestWithoutStateSucceeds: HarnessModule = {
  name: "ensure-authorization-request-without-state-succeeds",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "The state is optional",
  run: async (target) => {
    await logIn(target, { parameters: { state: undefined } });
    return PASSED;
  },
};
