import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** ui_locales is accepted. */
export const oidccUiLocales: HarnessModule = {
  name: "oidcc-ui-locales",
  plan: "Basic OP",
  checks: "ui_locales is accepted",
  run: async (target) => {
    await logIn(target, { parameters: { ui_locales: "se nl" } });
    return PASSED;
  },
};
