import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** A request without response_type is refused. */
export const oidccResponseTypeMissing: HarnessModule = {
  name: "oidcc-response-type-missing",
  plan: "Basic OP",
  checks: "A request without response_type is refused",
  run: async (target) => {
    const attempt = await startLogin(target, { parameters: { response_type: undefined } });
    assertNotStarted(attempt, "invalid_request", "unsupported_response_type");
    return PASSED;
  },
};
