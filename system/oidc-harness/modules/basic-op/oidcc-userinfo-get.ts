import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** Userinfo is given to GET with a header. */
export const oidccUserinfoGet: HarnessModule = {
  name: "oidcc-userinfo-get",
  plan: "Basic OP",
  checks: "Userinfo is given to GET with a header",
  run: async (target) => {
    await readUserinfo(target, await logIn(target, { parameters: { scope: "openid profile email" } }), "get");
    return PASSED;
  },
};
