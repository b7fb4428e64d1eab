import { decodeProtectedHeader } from "jose";
import { type HarnessModule, PASSED, skipped } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";

/** An ID token of RS256 is accepted only if its signature is right. */
export const oidccIdtokenSignature: HarnessModule = {
  name: "oidcc-idtoken-signature",
  plan: "Basic OP",
  checks: "An ID token of RS256 is accepted only if its signature is right",
  run: async (target) => {
    const { idToken } = await logIn(target);
    const { alg } = decodeProtectedHeader(idToken);
    return alg === "RS256" ? PASSED : skipped(`a registered client receives ${alg}`);
  },
};
