import type { BodyExample } from "./operation.ts";
import type { RouteExample, RouteExamples } from "./route-example.ts";
import type { Scene } from "./scene.ts";

const form = (value: Readonly<Record<string, string>>, fixed: readonly string[] = []): BodyExample => ({
  kind: "form",
  value,
  fixed,
});

/** The examples of the login connector's routes. Refuses: never. Source: S2 "Endpoints". */
export function loginExamples(scene: Scene): RouteExamples {
  return {
    "GET /healthz": {},
    "GET /": {},
    "GET /logo.png": {},
    "GET /apple-touch-icon.png": {},
    "GET /favicon.ico": {},
    "GET /clients/:id/logo.png": { params: { id: scene.login.client.id } },
    ...protocolExamples(scene),
    ...walletExamples(scene),
    ...portalExamples(scene),
    ...apiExamples(scene),
  };
}

function protocolExamples({ login }: Scene): RouteExamples {
  const { client, redirectUri, verifier, request } = login;
  const exchanged = {
    grant_type: "authorization_code",
    code: "a".repeat(43),
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: client.id,
    client_secret: client.secret,
  };
  const bearer = { callers: ["nobody", "forger", "access token"] } as const;
  const preflights = ["/.well-known/openid-configuration", "/jwks", "/token", "/userinfo"].map(
    (path): readonly [string, RouteExample] => [
      `OPTIONS ${path}`,
      { headers: { Origin: "https://rp.example", "Access-Control-Request-Method": "POST" } },
    ],
  );
  return {
    ...Object.fromEntries(preflights),
    "GET /.well-known/openid-configuration": {},
    "GET /jwks": {},
    "GET /authorize": { query: request },
    "POST /authorize": { body: form(request) },
    "POST /token": { body: form(exchanged) },
    "GET /userinfo": bearer,
    "POST /userinfo": { ...bearer, body: form({ access_token: login.accessToken }) },
  };
}

function walletExamples({ owner, login }: Scene): RouteExamples {
  const { shown, renewed, cancelled, answered, linked } = login.logins;
  const at = ({ id, cookie }: { readonly id: string; readonly cookie: string }): RouteExample => ({
    params: { id },
    headers: { Cookie: cookie },
  });
  const signature = "a".repeat(86);
  return {
    "GET /login/:id": at(shown),
    "GET /login/:id/state": at(shown),
    "POST /login/:id/renew": { ...at(renewed), body: form({ a: "b" }) },
    "POST /login/:id/continue": { ...at(shown), body: form({ a: "b" }) },
    "POST /login/:id/cancel": { ...at(cancelled), body: form({ a: "b" }) },
    "GET /ds/events/:session": { params: { session: shown.session }, headers: { Cookie: shown.cookie } },
    "POST /ds/callback": {
      body: { kind: "json", value: { ename: owner, session: answered.session, signature }, fixed: [] },
    },
    "GET /deeplink-login": {
      headers: { Cookie: linked.cookie },
      query: { ename: owner, session: linked.session, signature },
    },
  };
}

function portalExamples({ login }: Scene): RouteExamples {
  const { portal, spareClient, redirectUri } = login;
  const visitor = { headers: { Cookie: portal.cookie } };
  const own = { ...visitor, params: { id: spareClient.id } };
  const sent = (fields: Readonly<Record<string, string>> = {}): { readonly body: BodyExample } => ({
    body: form({ token: portal.formToken, ...fields }, ["token"]),
  });
  const client = { name: "Hostile", redirect_uris: redirectUri, require_email: "on", logo: "" };
  return {
    "GET /portal": visitor,
    "GET /portal/login": {},
    "GET /portal/clients/new": visitor,
    "GET /portal/clients/:id": own,
    "POST /portal/clients": { ...visitor, ...sent(client) },
    "POST /portal/clients/:id": { ...own, ...sent(client) },
    "POST /portal/clients/:id/rotate": { ...own, ...sent() },
    "POST /portal/clients/:id/end-previous-secret": { ...own, ...sent() },
    "POST /portal/clients/:id/remove-logo": { ...own, ...sent() },
    "GET /portal/clients/:id/test": own,
    "POST /portal/clients/:id/test": { ...own, ...sent() },
    "GET /portal/api": {},
    "POST /portal/clients/:id/delete": { ...own, ...sent({ confirmation: "another name" }) },
    // With the session's own token it would end the session.
    "POST /portal/logout": { ...visitor, body: form({ token: "a" }) },
  };
}

/** The management API. The tokens of the scene are for vaults, so it refuses them all. */
function apiExamples({ login }: Scene): RouteExamples {
  const { spareClient, redirectUri } = login;
  const developer = { callers: ["nobody", "forger", "owner"] } as const;
  const own = { ...developer, params: { id: spareClient.id } };
  const client = { name: "Hostile", redirectUris: [redirectUri], requireEmail: true, confirmLogin: false };
  const json = (value: BodyExample["value"]): BodyExample => ({ kind: "json", value, fixed: [] });
  return {
    "GET /api/openapi.json": {},
    "GET /api/clients": developer,
    "POST /api/clients": { ...developer, body: json(client) },
    "GET /api/clients/:id": own,
    "PATCH /api/clients/:id": { ...own, body: json(client) },
    "DELETE /api/clients/:id": own,
    "POST /api/clients/:id/secret": { ...own, body: json({}) },
    "DELETE /api/clients/:id/previous-secret": own,
    "PUT /api/clients/:id/logo": { ...own, body: json({ logo: "a" }) },
    "DELETE /api/clients/:id/logo": own,
  };
}
