import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** login_hint is accepted. */
export const oidccLoginHint: HarnessModule = {
  name: "oidcc-login-hint",
  plan: "Basic OP",
  checks: "login_hint is accepted",
  run: async (target) => {
    await logIn(target, { parameters: { login_hint: "buffy@rp.example" } });
    return PASSED;
  },
};
