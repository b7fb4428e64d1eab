import { type HarnessModule, PASSED, warning } from "../../harness-module.ts";
import { assertRefused, exchangeCode, logIn } from "../../log-in.ts";
import { askUserinfo } from "../../read-userinfo.ts";

/** A code used again after 30 seconds is refused, and its access token ends. */
export const oidccCodereuse30seconds: HarnessModule = {
  name: "oidcc-codereuse-30seconds",
  plan: "Basic OP",
  checks: "A code used again after 30 seconds is refused, and its access token ends",
  run: async (target) => {
    const { attempt, code, accessToken } = await logIn(target);
    await target.wait(30);
    assertRefused(await exchangeCode(target, { attempt, code }), "invalid_grant");
    const { status } = await askUserinfo(target, accessToken);
    return status === 401 ? PASSED : warning("the access token of the first use is still valid");
  },
};
