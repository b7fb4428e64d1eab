import { createHash } from "node:crypto";
import type { PassingAnswer, PassingRequest } from "./altering-proxy.ts";
import { authorizationOf, changeRedirect, exchangeOf, jsonAnswer, type Mutant } from "./mutant.ts";

const OWN_VERIFIER = "a-verifier-that-is-the-mutants-own-0123456789abcdef";
const OWN_CHALLENGE = createHash("sha256").update(OWN_VERIFIER).digest("base64url");

/** Providers that are wrong about authorization codes, PKCE and clients. Each name is said in the report. */
export const MUTANTS_OF_CODES: readonly Mutant[] = [
  {
    does: "accepts a code again and again",
    caughtBy: ["oidcc-codereuse", "attempt-reuse-authorization-code-after-one-second"],
    alter: () => {
      const answers = new Map<string, PassingAnswer>();
      return {
        request: (request) => copyOf(answers.get(codeOf(request))),
        answer: (answer, request) => {
          if (exchangeOf(request) && answer.status === 200) answers.set(codeOf(request), copyOf(answer) ?? answer);
        },
      };
    },
  },
  {
    does: "refuses the second use of a code, but leaves the tokens of the first",
    caughtBy: ["oidcc-codereuse-30seconds"],
    alter: () => {
      const used = new Set<string>();
      return {
        request: (request) => {
          if (!exchangeOf(request)) return undefined;
          if (used.has(codeOf(request))) return jsonAnswer(400, { error: "invalid_grant" });
          used.add(codeOf(request));
          return undefined;
        },
      };
    },
  },
  {
    does: "refuses the second use of a code with another error",
    caughtBy: ["oidcc-codereuse"],
    alter: () => ({
      answer: (answer, request) => {
        if (exchangeOf(request) && answer.status === 400) answer.body = JSON.stringify({ error: "server_error" });
      },
    }),
  },
  {
    does: "accepts an expired code",
    caughtBy: ["ensure-token-endpoint-fails-with-expired-auth-code"],
    changes: { lifetimes: { session: 300, code: 3_600, token: 300 } },
    alter: () => ({}),
  },
  {
    does: "takes requests without PKCE",
    caughtBy: ["ensure-request-without-pkce-fails"],
    alter: () => ({
      request: (request) => {
        const parameters = authorizationOf(request);
        if (parameters && !parameters.has("code_challenge")) {
          parameters.set("code_challenge", OWN_CHALLENGE);
          parameters.set("code_challenge_method", "S256");
        }
        return undefined;
      },
    }),
  },
  {
    does: "takes PKCE with plain",
    caughtBy: ["ensure-plain-pkce-fails"],
    alter: () => ({
      request: (request) => {
        const parameters = authorizationOf(request);
        if (parameters?.get("code_challenge_method") === "plain") parameters.set("code_challenge_method", "S256");
        return undefined;
      },
    }),
  },
  {
    does: "takes a challenge without a method",
    caughtBy: ["ensure-plain-pkce-fails"],
    alter: () => ({
      request: (request) => {
        const parameters = authorizationOf(request);
        if (parameters && !parameters.has("code_challenge_method")) parameters.set("code_challenge_method", "S256");
        return undefined;
      },
    }),
  },
  {
    does: "exchanges a code without its verifier",
    caughtBy: ["ensure-pkce-code-verifier-required"],
    alter: () => ({ request: withOwnPkce((form) => !form.has("code_verifier")) }),
  },
  {
    does: "does not compare the verifier with the challenge",
    caughtBy: ["incorrect-pkce-code-verifier-rejected"],
    alter: () => ({ request: withOwnPkce(() => true) }),
  },
  {
    does: "exchanges a code with another redirect URI",
    caughtBy: ["code-is-bound-to-redirect-uri"],
    alter: () => {
      const redirectUris = new Map<string, string>();
      return {
        request: (request) => {
          exchangeOf(request)?.set("redirect_uri", redirectUris.get(codeOf(request)) ?? "");
          return undefined;
        },
        answer: (answer) =>
          changeRedirect(answer, (address) => {
            redirectUris.set(address.searchParams.get("code") ?? "", `${address.origin}${address.pathname}`);
          }),
      };
    },
  },
  {
    does: "exchanges a code for another client",
    caughtBy: ["ensure-authorization-code-is-bound-to-client"],
    alter: ({ client }) => ({
      request: (request) => {
        if (exchangeOf(request)) request.headers["authorization"] = basicOf(client);
        return undefined;
      },
    }),
  },
  {
    does: "does not check a client's secret",
    caughtBy: ["client-secret-is-checked"],
    alter: ({ client }) => ({
      request: (request) => {
        const form = exchangeOf(request);
        if (form?.has("client_secret")) form.set("client_secret", client.secret);
        else if (form) request.headers["authorization"] = basicOf(client);
        return undefined;
      },
    }),
  },
  {
    does: "exchanges a code for a client that does not authenticate",
    caughtBy: ["one-client-authentication"],
    alter: ({ client }) => ({
      request: (request) => {
        const form = exchangeOf(request);
        const isOpen = request.headers["authorization"] === undefined && !form?.has("client_secret");
        if (form && isOpen) form.set("client_secret", client.secret);
        return undefined;
      },
    }),
  },
  {
    does: "takes both client authentications at once",
    caughtBy: ["one-client-authentication"],
    alter: () => ({
      request: (request) => {
        if (exchangeOf(request)?.has("client_secret")) delete request.headers["authorization"];
        return undefined;
      },
    }),
  },
  {
    does: "does not take client_secret_post",
    caughtBy: ["oidcc-server-client-secret-post"],
    alter: () => ({
      request: (request) =>
        exchangeOf(request)?.has("client_secret") ? jsonAnswer(401, { error: "invalid_client" }) : undefined,
    }),
  },
  {
    does: "gives the code to any browser that opens the login's address",
    caughtBy: ["code-stays-in-its-browser"],
    alter: () => {
      const cookies: string[] = [];
      return {
        request: (request) => {
          if (request.path.startsWith("/login/")) request.headers["cookie"] = cookies.join("; ");
          return undefined;
        },
        answer: ({ headers }, { path }) => {
          if (path === "/authorize") cookies.push(...[headers["set-cookie"] ?? []].flat().map(nameAndValueOf));
        },
      };
    },
  },
];

/** Sends the mutant's own challenge, and its own verifier where `isReplaced` says so. Other verifiers are right by chance alone. */
function withOwnPkce(isReplaced: (form: URLSearchParams) => boolean) {
  return (request: PassingRequest): undefined => {
    authorizationOf(request)?.set("code_challenge", OWN_CHALLENGE);
    const form = exchangeOf(request);
    if (form && isReplaced(form)) form.set("code_verifier", OWN_VERIFIER);
  };
}

function codeOf(request: PassingRequest): string {
  return exchangeOf(request)?.get("code") ?? "";
}

function copyOf(answer: PassingAnswer | undefined): PassingAnswer | undefined {
  return answer && { ...answer, headers: { ...answer.headers } };
}

function basicOf({ id, secret }: { readonly id: string; readonly secret: string }): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;
}

function nameAndValueOf(cookie: string): string {
  return cookie.split(";")[0] ?? "";
}
