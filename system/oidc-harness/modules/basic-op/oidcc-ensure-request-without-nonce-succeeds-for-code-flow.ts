import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** The nonce is optional. */
export const oidccEnsureRequestWithoutNonceSucceedsForCodeFlow: HarnessModule = {
  name: "oidcc-ensure-request-without-nonce-succeeds-for-code-flow",
  plan: "Basic OP",
  checks: "The nonce is optional",
  run: async (target) => {
    await logIn(target, { parameters: { nonce: undefined } });
    return PASSED;
  },
};
