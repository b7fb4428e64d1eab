import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** A request without the scope openid is refused. */
export const openidIsRequired: HarnessModule = {
  name: "openid-is-required",
  plan: "Own checks",
  checks: "A request without the scope openid is refused",
  run: async (target) => {
    for (const scope of ["profile", undefined]) {
      const attempt = await startLogin(target, { parameters: { scope, nonce: undefined } });
      assertNotStarted(attempt, "invalid_scope", "invalid_request");
    }
    return PASSED;
  },
};
