import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** claims_locales is accepted. */
export const oidccClaimsLocales: HarnessModule = {
  name: "oidcc-claims-locales",
  plan: "Basic OP",
  checks: "claims_locales is accepted",
  run: async (target) => {
    await logIn(target, { parameters: { claims_locales: "se" } });
    return PASSED;
  },
};
