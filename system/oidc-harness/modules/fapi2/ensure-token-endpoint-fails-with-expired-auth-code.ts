import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, startLogin } from "../../log-in.ts";

/** A code is not exchanged after its 60 seconds. */
export const ensureTokenEndpointFailsWithExpiredAuthCode: HarnessModule = {
  name: "ensure-token-endpoint-fails-with-expired-auth-code",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A code is not exchanged after its 60 seconds",
  run: async (target) => {
    const attempt = await startLogin(target);
    const code = await collectCode(target, attempt);
    await target.wait(61);
    assertRefused(await exchangeCode(target, { attempt, code }), "invalid_grant");
    return PASSED;
  },
};
