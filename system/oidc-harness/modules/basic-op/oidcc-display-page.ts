import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** display=page is accepted. */
export const oidccDisplayPage: HarnessModule = {
  name: "oidcc-display-page",
  plan: "Basic OP",
  checks: "display=page is accepted",
  run: async (target) => {
    await logIn(target, { parameters: { display: "page" } });
    return PASSED;
  },
};
