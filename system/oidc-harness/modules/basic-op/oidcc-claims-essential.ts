import { type HarnessModule, PASSED, warning } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** The claims parameter does no harm. */
export const oidccClaimsEssential: HarnessModule = {
  name: "oidcc-claims-essential",
  plan: "Basic OP",
  checks: "The claims parameter does no harm",
  run: async (target) => {
    const parameters = { claims: JSON.stringify({ userinfo: { name: { essential: true } } }) };
    const claims = await readUserinfo(target, await logIn(target, { parameters }));
    return claims["name"] === undefined ? warning("the essential claim name is not given") : PASSED;
  },
};
