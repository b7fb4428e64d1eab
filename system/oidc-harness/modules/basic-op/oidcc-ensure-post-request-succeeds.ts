import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** /authorize can be asked by POST. */
export const oidccEnsurePostRequestSucceeds: HarnessModule = {
  name: "oidcc-ensure-post-request-succeeds",
  plan: "Basic OP",
  checks: "/authorize can be asked by POST",
  run: async (target) => {
    await logIn(target, { method: "POST" });
    return PASSED;
  },
};
