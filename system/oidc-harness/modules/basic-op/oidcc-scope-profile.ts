import assert from "node:assert/strict";
import { type HarnessModule, PASSED, warning } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** The scope profile gives the claims of a profile. */
export const oidccScopeProfile: HarnessModule = {
  name: "oidcc-scope-profile",
  plan: "Basic OP",
  checks: "The scope profile gives the claims of a profile",
  run: async (target) => {
    const login = await logIn(target, { parameters: { scope: "openid profile" } });
    const claims = await readUserinfo(target, login);
    if (claims["name"] === undefined) return warning("the person has no name");
    assert.equal(typeof claims["name"], "string", "name is a text");
    return PASSED;
  },
};
