import type { Fetch } from "@dataspace/clients/timed-fetch";
import { LOGIN_PERSON, type LoginStart } from "./login-scene.ts";

/**
 * Makes a registry and a vault that answer at once, without a network, so that what is measured is the connector. Their answers are
 * parsed and verified as those of others.
 */
export function createStillUpstream({ certificate, keySet }: Pick<LoginStart, "certificate" | "keySet">): Fetch {
  const profile = { ename: LOGIN_PERSON, displayName: "Ada Lovelace", email: "ada@example.org" };
  const answers: Readonly<Record<string, object>> = {
    "/resolve": { kind: "vault", ename: LOGIN_PERSON, uri: "https://vault.example", vault: "vault-1" },
    "/.well-known/jwks.json": keySet,
    "/whois": { dsid: LOGIN_PERSON, keyBindingCertificates: [certificate] },
    "/graphql": { data: { user: { edges: [{ node: { parsed: profile } }] } } },
    "/platforms/certification": { token: "a-platform-token" },
  };
  return async (url) => Response.json(answers[new URL(url).pathname] ?? {});
}
