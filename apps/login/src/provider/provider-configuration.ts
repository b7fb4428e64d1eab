import { CLAIMS_BY_SCOPE } from "./account-claims.ts";
import { createInteractionPolicy } from "./interaction-policy.ts";
import type { LoginLifetimes } from "./lifetimes.ts";
import type { SigningKeySet } from "./signing-key-set.ts";
import type { Adapter, Configuration, FindAccount, KoaContextWithOIDC } from "oidc-provider";

/** The inputs of the protocol library's configuration. */
export interface ProviderSetup {
  readonly adapterOf: (model: string) => Adapter;
  readonly signingKeys: SigningKeySet;
  readonly findAccount: FindAccount;
  readonly renderError: (context: KoaContextWithOIDC, error: Error) => void | Promise<void>;
  readonly lifetimes: LoginLifetimes;
  readonly issuer: string;
}

/** An authorization request lives as long as its login page may renew the code. */
export const AUTHORIZATION_REQUEST_SECONDS = 3_600;

/**
 * Writes the library's configuration: the code flow with PKCE S256, two kinds of client authentication, ES256, three scopes, and
 * nothing else.
 *
 * Source: S2 "What the service does", "Claims", "Endpoints"; decisions L1, L5, L11.
 */
export function toProviderConfiguration(setup: ProviderSetup): Configuration {
  const { lifetimes } = setup;
  return {
    adapter: setup.adapterOf,
    findAccount: setup.findAccount,
    renderError: async (context, _out, error) => setup.renderError(context, error),
    // Member by member: the key hides its private part from anything that copies it.
    jwks: {
      keys: setup.signingKeys.map(({ kty, crv, x, y, d, kid = "" }) => ({
        kty,
        crv,
        x,
        y,
        d,
        kid,
        alg: "ES256",
        use: "sig",
      })),
    },
    routes: { authorization: "/authorize", token: "/token", userinfo: "/userinfo", jwks: "/jwks" },
    responseTypes: ["code"],
    scopes: ["openid", "profile", "email"],
    claims: CLAIMS_BY_SCOPE,
    conformIdTokenClaims: false,
    subjectTypes: ["public"],
    pkce: { required: () => true },
    clientAuthMethods: ["client_secret_basic", "client_secret_post"],
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    clientDefaults: {
      id_token_signed_response_alg: "ES256",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    enableHttpPostMethods: true,
    interactions: { policy: createInteractionPolicy(), url: (_context, { uid }) => `/login/${uid}` },
    cookies: {
      names: { session: "ds_session", interaction: "ds_interaction", resume: "ds_resume" },
      // POST /authorize needs it for a cookie that is removed from every answer.
      long: { sameSite: "none", signed: false },
      short: { sameSite: "lax", signed: false },
    },
    ttl: {
      AuthorizationCode: lifetimes.code,
      AccessToken: lifetimes.token,
      IdToken: lifetimes.token,
      Grant: lifetimes.code + lifetimes.token,
      Interaction: AUTHORIZATION_REQUEST_SECONDS,
      Session: 1,
    },
    expiresWithSession: async () => false,
    // A page of another origin exchanges no code: its client's secret would be public.
    clientBasedCORS: () => false,
    discovery: {
      ui_locales_supported: ["en", "nl", "de", "fr", "es", "sv", "ar"],
      service_documentation: `${setup.issuer}/portal`,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: false },
      introspection: { enabled: false },
      registration: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      claimsParameter: { enabled: false },
      resourceIndicators: { enabled: false },
      userinfo: { enabled: true },
    },
  };
}
