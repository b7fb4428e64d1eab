import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** Userinfo and ID token give the same claims of the person. */
export const userinfoEqualsIdToken: HarnessModule = {
  name: "userinfo-equals-id-token",
  plan: "Own checks",
  checks: "Userinfo and ID token give the same claims of the person",
  run: async (target) => {
    const login = await logIn(target, { parameters: { scope: "openid profile email" } });
    const claims = await readUserinfo(target, login);
    for (const [name, value] of Object.entries(claims)) {
      assert.deepEqual(login.claims[name], value, `the ID token has the same ${name}`);
    }
    assert.equal(claims["email_verified"] ?? false, false, "an email that the person wrote is not verified");
    return PASSED;
  },
};
