import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";

/** The addresses of discovery do not depend on headers of the request. */
export const discoveryIgnoresHost: HarnessModule = {
  name: "discovery-ignores-host",
  plan: "Own checks",
  checks: "The addresses of discovery do not depend on headers of the request",
  run: async (target) => {
    for (const name of ["x-forwarded-host", "x-forwarded-proto", "forwarded"]) {
      const response = await fetch(`${target.issuer}/.well-known/openid-configuration`, {
        headers: { [name]: name === "forwarded" ? "host=evil.example" : "evil.example" },
      });
      assert.ok(!(await response.text()).includes("evil.example"), `discovery ignores ${name}`);
    }
    return PASSED;
  },
};
