import { errors, interactionPolicy } from "./library.ts";
import type { KoaContextWithOIDC, interactionPolicy as policies } from "oidc-provider";

/** A request waits in memory for its login, so each of its parameters has a limit. */
const LONGEST_PARAMETER = 2_048;

/**
 * What an authorization request needs before it is answered: always a wallet's signature. `prompt=consent` and
 * `prompt=select_account` are accepted without effect.
 *
 * Refuses: `login_required` for `prompt=none`, `invalid_scope` without `openid`, `invalid_request` for a parameter
 * above 2,048 characters. Source: S2 "What the service does", 4 and 5; decision L5.
 */
export function createInteractionPolicy(): policies.Prompt[] {
  const { Check, Prompt } = interactionPolicy;
  const signature = new Check("no_wallet_signature", "every login needs the wallet", "login_required", (context) => {
    assertAllowed(context);
    return context.oidc.result?.login === undefined;
  });
  return [
    new Prompt({ name: "login", requestable: true }, signature),
    new Prompt({ name: "consent", requestable: true }),
    new Prompt({ name: "select_account", requestable: true }),
  ];
}

function assertAllowed({ oidc }: KoaContextWithOIDC): void {
  if (!oidc.requestParamScopes.has("openid")) {
    throw new errors.InvalidScope("the scope openid is required", String(oidc.params?.["scope"] ?? ""));
  }
  for (const [name, value] of Object.entries(oidc.params ?? {})) {
    if (typeof value === "string" && value.length > LONGEST_PARAMETER) {
      throw new errors.InvalidRequest(`${name} has more than ${LONGEST_PARAMETER} characters`);
    }
  }
}
