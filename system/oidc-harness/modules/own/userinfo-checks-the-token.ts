import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn, randomText } from "../../log-in.ts";
import { askUserinfo } from "../../read-userinfo.ts";

/** /userinfo refuses a token that was not issued, and an ID token. */
export const userinfoChecksTheToken: HarnessModule = {
  name: "userinfo-checks-the-token",
  plan: "Own checks",
  checks: "/userinfo refuses a token that was not issued, and an ID token",
  run: async (target) => {
    const { idToken } = await logIn(target);
    for (const token of [randomText(), idToken]) {
      const response = await askUserinfo(target, token);
      assert.equal(response.status, 401, "the status is 401");
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/i, "the challenge is Bearer");
    }
    return PASSED;
  },
};
