import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { assertRefused, collectCode, exchangeCode, startLogin } from "../../log-in.ts";

/** A request with both client authentications is refused, and one without any too. */
export const oneClientAuthentication: HarnessModule = {
  name: "one-client-authentication",
  plan: "Own checks",
  checks: "A request with both client authentications is refused, and one without any too",
  run: async (target) => {
    const attempt = await startLogin(target);
    const code = await collectCode(target, attempt);
    const { id, secret } = target.client;
    const both = { client_id: id, client_secret: secret };
    assertRefused(await exchangeCode(target, { attempt, code }, { parameters: both }), "invalid_request");
    const none = { client_secret: undefined };
    const answer = await exchangeCode(target, { attempt, code }, { auth: "post", parameters: none });
    assertRefused(answer, "invalid_client", "invalid_request");
    return PASSED;
  },
};
