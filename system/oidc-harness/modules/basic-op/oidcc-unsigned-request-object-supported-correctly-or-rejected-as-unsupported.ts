import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, randomText, startLogin } from "../../log-in.ts";

/** A request object is supported or refused, and never ignored. */
export const oidccUnsignedRequestObjectSupportedCorrectlyOrRejectedAsUnsupported: HarnessModule = {
  name: "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
  plan: "Basic OP",
  checks: "A request object is supported or refused, and never ignored",
  run: async (target) => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const request = `${part({ alg: "none" })}.${part({ nonce: randomText() })}.`;
    assertNotStarted(await startLogin(target, { parameters: { request } }), "request_not_supported");
    return PASSED;
  },
};
