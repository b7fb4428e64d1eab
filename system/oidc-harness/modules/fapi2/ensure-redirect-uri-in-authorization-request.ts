import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { startLogin } from "../../log-in.ts";

/** A request without redirect_uri is refused. */
export const ensureRedirectUriInAuthorizationRequest: HarnessModule = {
  name: "ensure-redirect-uri-in-authorization-request",
  plan: "FAPI 2.0 (PKCE and codes)",
  checks: "A request without redirect_uri is refused",
  run: async (target) => {
    const { place } = await startLogin(target, { parameters: { redirect_uri: undefined } });
    assert.ok(place.kind === "page" && place.status >= 400, "a page refuses the request");
    return PASSED;
  },
};
