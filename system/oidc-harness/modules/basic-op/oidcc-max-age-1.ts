import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** max_age=1 asks for a second login after a second, and auth_time is recent. */
export const oidccMaxAge1: HarnessModule = {
  name: "oidcc-max-age-1",
  plan: "Basic OP",
  checks: "max_age=1 asks for a second login after a second, and auth_time is recent",
  run: async (target) => {
    const first = await logIn(target);
    await target.wait(2);
    const { browser } = first.attempt;
    const second = await logIn(target, { browser, parameters: { max_age: "1" } });
    assert.equal(typeof second.claims["auth_time"], "number", "the ID token has auth_time");
    assert.ok(
      Number(second.claims["auth_time"]) > Number(first.claims["auth_time"] ?? 0),
      "auth_time is that of the second login",
    );
    return PASSED;
  },
};
