import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, startLogin } from "../../log-in.ts";

/** A code is not exchanged with another redirect URI, or without one. */
export const codeIsBoundToRedirectUri: HarnessModule = {
  name: "code-is-bound-to-redirect-uri",
  plan: "Own checks",
  checks: "A code is not exchanged with another redirect URI, or without one",
  run: async (target) => {
    for (const redirect_uri of [target.client.otherRedirectUri, undefined]) {
      const attempt = await startLogin(target);
      const code = await collectCode(target, attempt);
      const answer = await exchangeCode(target, { attempt, code }, { parameters: { redirect_uri } });
      assertRefused(answer, "invalid_grant", "invalid_request");
    }
    return PASSED;
  },
};
