import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** A request by reference is supported or refused, and never ignored. */
export const oidccRequestUriUnsignedSupportedCorrectlyOrRejectedAsUnsupported: HarnessModule = {
  name: "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported",
  plan: "Basic OP",
  checks: "A request by reference is supported or refused, and never ignored",
  run: async (target) => {
    const attempt = await startLogin(target, { parameters: { request_uri: "https://rp.example/request.jwt" } });
    assertNotStarted(attempt, "request_uri_not_supported");
    return PASSED;
  },
};
