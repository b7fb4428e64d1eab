import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** prompt=none without a login is refused with an error that names a need. */
export const oidccPromptNoneNotLoggedIn: HarnessModule = {
  name: "oidcc-prompt-none-not-logged-in",
  plan: "Basic OP",
  checks: "prompt=none without a login is refused with an error that names a need",
  run: async (target) => {
    const attempt = await startLogin(target, { parameters: { prompt: "none" } });
    assert.equal(attempt.place.kind, "client", "no page is shown");
    assertNotStarted(
      attempt,
      "login_required",
      "interaction_required",
      "account_selection_required",
      "consent_required",
    );
    return PASSED;
  },
};
