import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** An unknown parameter is ignored. */
export const oidccEnsureRequestWithUnknownParameterSucceeds: HarnessModule = {
  name: "oidcc-ensure-request-with-unknown-parameter-succeeds",
  plan: "Basic OP",
  checks: "An unknown parameter is ignored",
  run: async (target) => {
    await logIn(target, { parameters: { extra: "foobar" } });
    return PASSED;
  },
};
