import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** A whole login with client_secret_post. */
export const oidccServerClientSecretPost: HarnessModule = {
  name: "oidcc-server-client-secret-post",
  plan: "Basic OP",
  checks: "A whole login with client_secret_post",
  run: async (target) => {
    const login = await logIn(target, { auth: "post" });
    await readUserinfo(target, login);
    return PASSED;
  },
};
