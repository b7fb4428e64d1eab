import { decodeProtectedHeader } from "jose";
import { type HarnessModule, skipped } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** A client can ask for unsigned ID tokens. */
export const oidccIdtokenUnsigned: HarnessModule = {
  name: "oidcc-idtoken-unsigned",
  plan: "Basic OP",
  checks: "A client can ask for unsigned ID tokens",
  run: async (target) => {
    const { idToken } = await logIn(target);
    const { alg } = decodeProtectedHeader(idToken);
    return skipped(`a registered client receives ${alg}`);
  },
};
