import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { exchangeCode, logIn, readCode, startLogin } from "../../log-in.ts";

/** max_age=10000 asks for no second login, and auth_time stays. */
export const oidccMaxAge10000: HarnessModule = {
  name: "oidcc-max-age-10000",
  plan: "Basic OP",
  checks: "max_age=10000 asks for no second login, and auth_time stays",
  run: async (target) => {
    const first = await logIn(target, { parameters: { max_age: "15000" } });
    const { browser } = first.attempt;
    const attempt = await startLogin(target, { browser, parameters: { max_age: "10000" } });
    assert.ok(attempt.place.kind === "client", "no page is shown");
    const { body } = await exchangeCode(target, { attempt, code: readCode(target, attempt, attempt.place.url) });
    const again = decodeJwt(String(body["id_token"]));
    assert.equal(again["auth_time"], first.claims["auth_time"], "auth_time is that of the first login");
    return PASSED;
  },
};
