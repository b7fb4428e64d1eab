import { type HarnessModule, PASSED, warning } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** acr_values is accepted. */
export const oidccEnsureRequestWithAcrValuesSucceeds: HarnessModule = {
  name: "oidcc-ensure-request-with-acr-values-succeeds",
  plan: "Basic OP",
  checks: "acr_values is accepted",
  run: async (target) => {
    const { claims } = await logIn(target, { parameters: { acr_values: "1 2" } });
    return claims["acr"] === undefined ? PASSED : warning("the ID token has an acr");
  },
};
