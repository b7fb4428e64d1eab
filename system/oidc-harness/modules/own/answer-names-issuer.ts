import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { startLogin } from "../../log-in.ts";
import { readMetadata } from "../../metadata.ts";

/** The answer to the client carries iss, on success and on error. */
export const answerNamesIssuer: HarnessModule = {
  name: "answer-names-issuer",
  plan: "Own checks",
  checks: "The answer to the client carries iss, on success and on error",
  run: async (target) => {
    const attempt = await startLogin(target);
    const signedIn = await target.signIn(attempt.browser, attempt.place);
    const refused = await startLogin(target, { parameters: { prompt: "none" } });
    for (const place of [signedIn, refused.place]) {
      assert.ok(place.kind === "client", "the browser is back at the client");
      assert.equal(place.url.searchParams.get("iss"), target.issuer, "iss is the issuer");
    }
    const { authorization_response_iss_parameter_supported: announced } = await readMetadata(target);
    assert.equal(announced, true, "discovery announces iss");
    return PASSED;
  },
};
