import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** Userinfo is given to POST with a form. */
export const oidccUserinfoPostBody: HarnessModule = {
  name: "oidcc-userinfo-post-body",
  plan: "Basic OP",
  checks: "Userinfo is given to POST with a form",
  run: async (target) => {
    await readUserinfo(target, await logIn(target, { parameters: { scope: "openid profile email" } }), "post-body");
    return PASSED;
  },
};
