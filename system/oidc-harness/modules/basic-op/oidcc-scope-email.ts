import assert from "node:assert/strict";
import { type HarnessModule, PASSED, warning } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** The scope email gives the address and a boolean email_verified. */
export const oidccScopeEmail: HarnessModule = {
  name: "oidcc-scope-email",
  plan: "Basic OP",
  checks: "The scope email gives the address and a boolean email_verified",
  run: async (target) => {
    const login = await logIn(target, { parameters: { scope: "openid email" } });
    const claims = await readUserinfo(target, login);
    if (claims["email"] === undefined) return warning("the person has no email");
    assert.equal(typeof claims["email"], "string", "email is a text");
    assert.equal(typeof claims["email_verified"], "boolean", "email_verified is a boolean");
    return PASSED;
  },
};
