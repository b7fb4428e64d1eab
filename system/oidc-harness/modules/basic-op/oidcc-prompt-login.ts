import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { collectCode, exchangeCode, logIn, startLogin } from "../../log-in.ts";

/** prompt=login asks for a second login, with a later auth_time. */
export const oidccPromptLogin: HarnessModule = {
  name: "oidcc-prompt-login",
  plan: "Basic OP",
  checks: "prompt=login asks for a second login, with a later auth_time",
  run: async (target) => {
    const first = await logIn(target, { parameters: { max_age: "15000" } });
    await target.wait(2);
    const { browser } = first.attempt;
    const attempt = await startLogin(target, { browser, parameters: { prompt: "login", max_age: "15000" } });
    assert.equal(attempt.place.kind, "page", "the browser is asked to log in");
    const code = await collectCode(target, attempt);
    const { body } = await exchangeCode(target, { attempt, code });
    const later = decodeJwt(String(body["id_token"]));
    assert.ok(Number(later["auth_time"]) > Number(first.claims["auth_time"]), "auth_time is later");
    return PASSED;
  },
};
