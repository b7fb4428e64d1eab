import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { exchangeCode, logIn, readCode, startLogin } from "../../log-in.ts";

/** prompt=none with id_token_hint succeeds without a page. */
export const oidccIdTokenHint: HarnessModule = {
  name: "oidcc-id-token-hint",
  plan: "Basic OP",
  checks: "prompt=none with id_token_hint succeeds without a page",
  run: async (target) => {
    const first = await logIn(target);
    const { browser } = first.attempt;
    const parameters = { prompt: "none", id_token_hint: first.idToken };
    const attempt = await startLogin(target, { browser, parameters });
    assert.ok(attempt.place.kind === "client", "no page is shown");
    const { body } = await exchangeCode(target, { attempt, code: readCode(target, attempt, attempt.place.url) });
    assert.equal(decodeJwt(String(body["id_token"])).sub, first.claims["sub"], "it is the same person");
    return PASSED;
  },
};
