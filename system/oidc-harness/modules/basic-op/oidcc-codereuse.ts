import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, exchangeCode, logIn } from "../../log-in.ts";

/** The second use of a code is refused with invalid_grant. */
export const oidccCodereuse: HarnessModule = {
  name: "oidcc-codereuse",
  plan: "Basic OP",
  checks: "The second use of a code is refused with invalid_grant",
  run: async (target) => {
    const { attempt, code } = await logIn(target);
    const again = await exchangeCode(target, { attempt, code });
    assert.equal(again.status, 400, "the status is 400");
    assertRefused(again, "invalid_grant");
    return PASSED;
  },
};
