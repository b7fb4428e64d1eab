import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** The answer goes to the redirect URI of the request, also if it is the second registered one. */
export const ensureRegisteredSecondRedirectUri: HarnessModule = {
  name: "ensure-registered-second-redirect-uri",
  plan: "Own checks",
  checks: "The answer goes to the redirect URI of the request, also if it is the second registered one",
  run: async (target) => {
    await logIn(target, { parameters: { redirect_uri: target.client.otherRedirectUri } });
    return PASSED;
  },
};
