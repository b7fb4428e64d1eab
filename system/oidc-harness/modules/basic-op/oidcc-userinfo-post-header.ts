import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** Userinfo is given to POST with a header. */
export const oidccUserinfoPostHeader: HarnessModule = {
  name: "oidcc-userinfo-post-header",
  plan: "Basic OP",
  checks: "Userinfo is given to POST with a header",
  run: async (target) => {
    await readUserinfo(target, await logIn(target, { parameters: { scope: "openid profile email" } }), "post-header");
    return PASSED;
  },
};
