import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertNotStarted, startLogin } from "../../log-in.ts";

/** A request object with another redirect URI is obeyed or refused, and never ignored. */
export const oidccEnsureRequestObjectWithRedirectUri: HarnessModule = {
  name: "oidcc-ensure-request-object-with-redirect-uri",
  plan: "Basic OP",
  checks: "A request object with another redirect URI is obeyed or refused, and never ignored",
  run: async (target) => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const { id, redirectUri, otherRedirectUri } = target.client;
    const request = `${part({ alg: "none" })}.${part({ client_id: id, redirect_uri: redirectUri })}.`;
    const attempt = await startLogin(target, { parameters: { request, redirect_uri: otherRedirectUri } });
    assertNotStarted(attempt, "request_not_supported");
    return PASSED;
  },
};
