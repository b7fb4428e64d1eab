import type { Alteration, PassingAnswer } from "./altering-proxy.ts";
import { authorizationOf, changeJson, changeRedirect, type Mutant } from "./mutant.ts";

const REFUSED: PassingAnswer = { status: 400, headers: { "content-type": "text/html" }, body: "refused" };

const REQUEST_OBJECT_MODULES = [
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
  "oidcc-ensure-request-object-with-redirect-uri",
];

/** Providers that are wrong about authorization requests, their answers, and discovery. */
export const MUTANTS_OF_REQUESTS: readonly Mutant[] = [
  redirectMutant("names another issuer in the answer", ["answer-names-issuer", "oidcc-server"], ({ searchParams }) =>
    searchParams.set("iss", "https://evil.example"),
  ),
  redirectMutant("leaves the issuer out of the answer", ["answer-names-issuer"], ({ searchParams }) =>
    searchParams.delete("iss"),
  ),
  redirectMutant("drops the state", ["oidcc-server"], ({ searchParams }) => searchParams.delete("state")),
  redirectMutant("cuts the state", ["ensure-authorization-request-with-long-state"], ({ searchParams }) => {
    if (searchParams.has("state")) searchParams.set("state", (searchParams.get("state") ?? "").slice(0, 64));
  }),
  redirectMutant("makes a state of its own", ["ensure-authorization-request-without-state-succeeds"], (address) => {
    if (!address.searchParams.has("state")) address.searchParams.set("state", "own");
  }),
  redirectMutant(
    "answers to the first registered redirect URI",
    ["ensure-registered-second-redirect-uri"],
    (address) => {
      address.pathname = address.pathname.replace(/\/other$/, "");
    },
  ),
  requestMutant("requires a nonce", ["oidcc-ensure-request-without-nonce-succeeds-for-code-flow"], (parameters) =>
    parameters.has("nonce") ? undefined : REFUSED,
  ),
  requestMutant("requires a state", ["ensure-authorization-request-without-state-succeeds"], (parameters) =>
    parameters.has("state") ? undefined : REFUSED,
  ),
  requestMutant("takes a request without response_type", ["oidcc-response-type-missing"], (parameters) =>
    parameters.set("response_type", "code"),
  ),
  requestMutant(
    "takes a request without redirect_uri",
    ["ensure-redirect-uri-in-authorization-request"],
    addRedirectUri,
  ),
  requestMutant("takes a request without openid", ["openid-is-required"], (parameters) => {
    const scopes = new Set((parameters.get("scope") ?? "").split(" ")).add("openid");
    parameters.set("scope", [...scopes].join(" "));
  }),
  requestMutant(
    "refuses an unknown parameter",
    ["oidcc-ensure-request-with-unknown-parameter-succeeds"],
    (parameters) => (parameters.has("extra") ? REFUSED : undefined),
  ),
  requestMutant("refuses ui_locales", ["oidcc-ui-locales"], (parameters) =>
    parameters.has("ui_locales") ? REFUSED : undefined,
  ),
  requestMutant("refuses acr_values", ["oidcc-ensure-request-with-acr-values-succeeds"], (parameters) =>
    parameters.has("acr_values") ? REFUSED : undefined,
  ),
  requestMutant("refuses the prompts that brokers send", ["select-account-is-accepted"], (parameters) =>
    ["consent", "select_account"].includes(parameters.get("prompt") ?? "") ? REFUSED : undefined,
  ),
  requestMutant("ignores prompt=none", ["oidcc-prompt-none-not-logged-in"], (parameters) =>
    parameters.delete("prompt"),
  ),
  requestMutant("ignores a request object", REQUEST_OBJECT_MODULES, (parameters) => parameters.delete("request")),
  requestMutant(
    "ignores a request by reference",
    ["oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported"],
    (parameters) => parameters.delete("request_uri"),
  ),
  requestMutant("takes the first of two parameters", ["duplicate-parameters-are-refused"], (parameters) => {
    for (const name of new Set(parameters.keys())) parameters.set(name, parameters.get(name) ?? "");
  }),
  {
    does: "redirects to any address",
    caughtBy: ["oidcc-ensure-registered-redirect-uri"],
    alter: ({ client }) => ({
      request: (request) => {
        const parameters = authorizationOf(request);
        const wanted = parameters?.get("redirect_uri") ?? undefined;
        const isRegistered = wanted === client.redirectUri || wanted === client.otherRedirectUri;
        if (wanted !== undefined && !isRegistered) parameters?.set("redirect_uri", client.redirectUri);
        return undefined;
      },
    }),
  },
  {
    does: "takes no POST at /authorize",
    caughtBy: ["oidcc-ensure-post-request-succeeds"],
    alter: () => ({
      request: ({ path, method }) =>
        path === "/authorize" && method === "POST" ? { status: 404, headers: {}, body: "" } : undefined,
    }),
  },
  {
    does: "builds discovery from the request's Host",
    caughtBy: ["discovery-ignores-host"],
    alter: ({ issuer }) => ({
      answer: (answer, { path, headers }) => {
        const host = headers["x-forwarded-host"];
        if (path.endsWith("openid-configuration") && host !== undefined) {
          answer.body = answer.body.replaceAll(`${issuer}/`, `http://${host}/`);
        }
      },
    }),
  },
  discoveryMutant("names another issuer in discovery", ["oidcc-server"], (metadata) => {
    metadata["issuer"] = `${metadata["issuer"]}/`;
  }),
  discoveryMutant("does not announce PKCE", ["oidcc-ensure-request-with-valid-pkce-succeeds"], (metadata) => {
    delete metadata["code_challenge_methods_supported"];
  }),
  discoveryMutant("announces an algorithm that it does not use", ["id-token-is-es256"], (metadata) => {
    metadata["id_token_signing_alg_values_supported"] = ["RS256", "ES256"];
  }),
];

function redirectMutant(does: string, caughtBy: readonly string[], change: (address: URL) => void): Mutant {
  return { does, caughtBy, alter: () => ({ answer: (answer) => changeRedirect(answer, change) }) };
}

/** In: `change` returns REFUSED to refuse the request. */
function requestMutant(
  does: string,
  caughtBy: readonly string[],
  change: (parameters: URLSearchParams, client: { readonly redirectUri: string }) => unknown | undefined,
): Mutant {
  const alter: Mutant["alter"] = ({ client }): Alteration => ({
    request: (request) => {
      const parameters = authorizationOf(request);
      return parameters && change(parameters, client) === REFUSED ? { ...REFUSED } : undefined;
    },
  });
  return { does, caughtBy, alter };
}

function discoveryMutant(
  does: string,
  caughtBy: readonly string[],
  change: (metadata: Record<string, unknown>) => void,
): Mutant {
  const answer: Alteration["answer"] = (passing, { path }) => {
    if (path.endsWith("openid-configuration")) changeJson(passing, change);
  };
  return { does, caughtBy, alter: () => ({ answer }) };
}

function addRedirectUri(parameters: URLSearchParams, { redirectUri }: { readonly redirectUri: string }): void {
  if (!parameters.has("redirect_uri")) parameters.set("redirect_uri", redirectUri);
}
