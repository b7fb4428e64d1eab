import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** display=popup is accepted. */
export const oidccDisplayPopup: HarnessModule = {
  name: "oidcc-display-popup",
  plan: "Basic OP",
  checks: "display=popup is accepted",
  run: async (target) => {
    await logIn(target, { parameters: { display: "popup" } });
    return PASSED;
  },
};
