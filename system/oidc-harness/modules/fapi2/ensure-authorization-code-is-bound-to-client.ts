import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, startLogin } from "../../log-in.ts";

/** A code is not exchanged by another client. */
export const ensureAuthorizationCodeIsBoundToClient: HarnessModule = {
  name: "ensure-authorization-code-is-bound-to-client",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A code is not exchanged by another client",
  run: async (target) => {
    const attempt = await startLogin(target);
    const code = await collectCode(target, attempt);
    assertRefused(await exchangeCode(target, { attempt, code }, { client: target.otherClient }), "invalid_grant");
    return PASSED;
  },
};
