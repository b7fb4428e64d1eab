import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { startLogin } from "../../log-in.ts";

/** An unregistered redirect URI is refused by a page, and never followed. */
export const oidccEnsureRegisteredRedirectUri: HarnessModule = {
  name: "oidcc-ensure-registered-redirect-uri",
  plan: "Basic OP",
  checks: "An unregistered redirect URI is refused by a page, and never followed",
  run: async (target) => {
    for (const redirect_uri of [`${target.client.redirectUri}/more`, "https://evil.example/callback"]) {
      const { place } = await startLogin(target, { parameters: { redirect_uri } });
      assert.ok(place.kind === "page" && place.status >= 400, "a page refuses the redirect URI");
    }
    return PASSED;
  },
};
