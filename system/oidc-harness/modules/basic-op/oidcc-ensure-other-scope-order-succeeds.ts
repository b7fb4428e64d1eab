import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** The order of scopes does not matter. */
export const oidccEnsureOtherScopeOrderSucceeds: HarnessModule = {
  name: "oidcc-ensure-other-scope-order-succeeds",
  plan: "Basic OP",
  checks: "The order of scopes does not matter",
  run: async (target) => {
    await readUserinfo(target, await logIn(target, { parameters: { scope: "email openid profile" } }));
    return PASSED;
  },
};
