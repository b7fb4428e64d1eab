import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { readKeySet } from "../../read-id-token.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** A whole login: discovery, keys, state, issuer, ID token, userinfo. */
export const oidccServer: HarnessModule = {
  name: "oidcc-server",
  plan: "Basic OP",
  checks: "A whole login: discovery, keys, state, issuer, ID token, userinfo",
  run: async (target) => {
    const login = await logIn(target);
    await readUserinfo(target, login);
    const { keys } = await readKeySet(target);
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length, "each key has a kid of its own");
    return PASSED;
  },
};
