/** How to connect one product: its name, and the settings to paste. */
export interface Recipe {
  readonly product: string;
  readonly settings: string;
  readonly note?: string;
}

/** The values of a recipe. */
export interface RecipeValues {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/**
 * Writes paste-ready settings for identity providers and applications. The secret is written as `YOUR_CLIENT_SECRET`,
 * since it is shown only once.
 *
 * Refuses: never. Source: S2 "IdP connection values".
 */
export function listRecipes({ issuer, clientId, redirectUri }: RecipeValues): readonly Recipe[] {
  const discovery = `${issuer}/.well-known/openid-configuration`;
  return [
    {
      product: "Keycloak",
      settings: `Identity providers > OpenID Connect v1.0
Discovery endpoint: ${discovery}
Client authentication: Client secret sent as post
Client ID: ${clientId}
Client secret: YOUR_CLIENT_SECRET
Default scopes: openid profile email
Validate signatures: On, with the JWKS URL
Use PKCE: On
PKCE method: S256`,
      note: "Importing the discovery document leaves PKCE off: switch it on after you add the provider. Keycloak asks people for an email address and for names that are missing, unless the realm makes them optional.",
    },
    {
      product: "Authentik",
      settings: `Directory > Federation & Social login > OpenID OAuth Source
Consumer key: ${clientId}
Consumer secret: YOUR_CLIENT_SECRET
OIDC well-known URL: ${discovery}
Scopes: openid profile email
PKCE method: S256
User matching mode: Link users on unique identifier`,
      note: "Never match users by email: it is not verified.",
    },
    {
      product: "Zitadel",
      settings: `Default settings > Identity providers > Generic OIDC
Issuer: ${issuer}
Client ID: ${clientId}
Client secret: YOUR_CLIENT_SECRET
Scopes: openid profile email
Use PKCE: enabled
Automatic linking: disabled`,
    },
    {
      product: "Dex",
      settings: `connectors:
  - type: oidc
    id: wallet
    name: Wallet
    config:
      issuer: ${issuer}
      clientID: ${clientId}
      clientSecret: YOUR_CLIENT_SECRET
      redirectURI: ${redirectUri}
      scopes: [profile, email]
      userNameKey: preferred_username
      userIDKey: sub`,
      note: "Switch on 'My identity provider requires an email address'. Without userNameKey a login fails for a person whose profile has no name.",
    },
    {
      product: "oauth2-proxy",
      settings: `--provider=oidc
--oidc-issuer-url=${issuer}
--client-id=${clientId}
--client-secret=YOUR_CLIENT_SECRET
--redirect-url=${redirectUri}
--scope="openid profile email"
--code-challenge-method=S256
--oidc-email-claim=sub
--email-domain=*
--cookie-secret=A_RANDOM_SECRET_OF_32_BYTES`,
      note: "oauth2-proxy refuses an email that is not verified, so the eName takes its place.",
    },
    {
      product: "Grafana",
      settings: `[auth.generic_oauth]
enabled = true
name = Wallet
client_id = ${clientId}
client_secret = YOUR_CLIENT_SECRET
scopes = openid profile email
auth_url = ${issuer}/authorize
token_url = ${issuer}/token
api_url = ${issuer}/userinfo
use_pkce = true
login_attribute_path = preferred_username`,
      note: "Switch on 'My identity provider requires an email address': a login without an email fails.",
    },
    {
      product: "Nextcloud",
      settings: `occ user_oidc:provider wallet \\
  --clientid="${clientId}" \\
  --clientsecret="YOUR_CLIENT_SECRET" \\
  --discoveryuri="${discovery}" \\
  --scope="openid profile email" \\
  --mapping-uid="preferred_username" \\
  --unique-uid=0`,
      note: "user_oidc uses PKCE by itself, since the discovery document lists S256. With unique-uid it would hash the user name.",
    },
    {
      product: "Auth0",
      settings: `Authentication > Enterprise > OpenID Connect
Issuer URL: ${discovery}
Type: Back Channel
Client ID: ${clientId}
Client secret: YOUR_CLIENT_SECRET
ID token signing algorithm: ES256
PKCE: S256
Scopes: openid profile email`,
    },
    {
      product: "Entra External ID",
      settings: `External Identities > All identity providers > Custom > OpenID Connect
Well-known endpoint: ${discovery}
OpenID issuer URI: ${issuer}
Client ID: ${clientId}
Client authentication: client_secret_post
Client secret: YOUR_CLIENT_SECRET
Scope: openid profile email
Response type: code`,
      note: "client_secret_basic is not supported there. Microsoft does not document PKCE towards the provider, and this connector requires it: try a login before you rely on it.",
    },
    {
      product: "mod_auth_openidc",
      settings: `OIDCProviderMetadataURL ${discovery}
OIDCClientID ${clientId}
OIDCClientSecret YOUR_CLIENT_SECRET
OIDCRedirectURI ${redirectUri}
OIDCCryptoPassphrase A_RANDOM_PASSPHRASE
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim sub`,
      note: "Without OIDCPKCEMethod no login starts. After a cancelled login the module may show a misleading page, since the answer carries iss.",
    },
    {
      product: "openid-client",
      settings: `import * as client from "openid-client";

const config = await client.discovery(new URL("${issuer}"), "${clientId}", "YOUR_CLIENT_SECRET");
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: "${redirectUri}",
  scope: "openid profile email",
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  state,
});
// Send the browser to url. When it is back at the redirect URI, as currentUrl:
const checks = { pkceCodeVerifier: verifier, expectedState: state };
const tokens = await client.authorizationCodeGrant(config, currentUrl, checks);
const ename = tokens.claims()?.sub;`,
    },
  ];
}
