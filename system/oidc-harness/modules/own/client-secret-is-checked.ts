import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, startLogin } from "../../log-in.ts";

/** A code is not exchanged with a wrong secret, by either way. */
export const clientSecretIsChecked: HarnessModule = {
  name: "client-secret-is-checked",
  plan: "Own checks",
  checks: "A code is not exchanged with a wrong secret, by either way",
  run: async (target) => {
    const client = { ...target.client, secret: `${target.client.secret}x` };
    for (const auth of ["basic", "post"] as const) {
      const attempt = await startLogin(target);
      const code = await collectCode(target, attempt);
      assertRefused(await exchangeCode(target, { attempt, code }, { client, auth }), "invalid_client");
    }
    return PASSED;
  },
};
