import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { authorityExamples } from "./authority-examples.ts";
import { loginExamples } from "./login-examples.ts";
import type { BodyExample } from "./operation.ts";
import type { RouteExample, RouteExamples } from "./route-example.ts";
import type { Scene } from "./scene.ts";

const json = (value: BodyExample["value"]): BodyExample => ({ kind: "json", value, fixed: [] });

/**
 * What each service serves beyond its schema. A served route that is neither here nor in a schema fails the suite, and so does
 * one here that is not served. Refuses: never.
 */
export function routeExamples(scene: Scene): Readonly<Record<string, RouteExamples>> {
  return {
    registry: registryExamples(scene),
    vault: vaultExamples(scene),
    awareness: portalExamples(scene),
    authority: authorityExamples(scene),
    login: loginExamples(scene),
    sandbox: {
      "GET /": {},
      "GET /healthz": {},
      "GET /app/*": { params: { "*": "main.js" } },
      "GET /home": {},
      "GET /demo-people": {},
      "GET /docs": { query: { q: "dead letter" } },
      "GET /docs/*": { params: { "*": "docs/start" } },
      "GET /ui": { query: { theme: "dark" } },
    },
    admin: { "GET /metrics": {}, "GET /readyz": {} },
  };
}

function registryExamples({ spare, publicKey }: Scene): RouteExamples {
  const secret = { callers: ["nobody", "forger", "registry secret"] } as const;
  const release = { platformEname: spare, version: "1.0.0", releaseTag: "v1.0.0", commitSha: "a".repeat(40) };
  const registration = { ename: spare, uri: "http://127.0.0.1:1", vault: "hostile" };
  return {
    "GET /": {},
    "GET /healthz": {},
    "GET /motd": {},
    "GET /docs": {},
    "GET /openapi.json": {},
    "GET /.well-known/jwks.json": {},
    "GET /platforms": {},
    "GET /entropy": {},
    "GET /resolve": { query: { dsid: spare } },
    "GET /list": { query: { limit: "10", cursor: "MS4x" } },
    "POST /register": { ...secret, body: json(registration) },
    "PATCH /register": { ...secret, body: json(registration) },
    "DELETE /register": { ...secret, query: { ename: spare } },
    "POST /key-binding-certificate": { ...secret, body: json({ ename: spare, publicKey }) },
    "POST /records/software-versions": { ...secret, body: json(release) },
    "POST /records/software-versions/preview": { ...secret, body: json(release) },
    "POST /platforms/certification": { body: json({ platform: "https://hostile.example" }) },
  };
}

function vaultExamples({ owner, ids, blobPath, entropy, publicKey }: Scene): RouteExamples {
  const addressed = {
    headers: { "X-ENAME": owner },
    callers: ["nobody", "forger", "owner", "stranger", "legacy platform"],
  } as const;
  // Without the owner, whose vault they would freeze or erase.
  const byOthers = { ...addressed, callers: ["nobody", "forger", "stranger", "legacy platform"] } as const;
  const header = `{"format":"dataspace-vault","formatVersion":1,"owner":"${owner}"}`;
  const [, , blobOwner = "", blobKey = ""] = blobPath.split("/").map(decodeURIComponent);
  return {
    "GET /": {},
    "GET /healthz": {},
    "GET /schema.graphql": {},
    "GET /docs": {},
    "GET /openapi.json": {},
    "GET /provisioner/docs": {},
    "GET /provisioner/openapi.json": {},
    "GET /graphiql": { query: { ename: owner } },
    "GET /graphiql/frame": { query: { ename: owner, as: owner } },
    "GET /graphiql/start.js": {},
    "GET /graphiql/frame.css": {},
    "POST /graphiql/token": { body: json({ owner, person: owner }) },
    "GET /graphiql/app/*": { params: { "*": "index.html" } },
    "GET /whois": addressed,
    "HEAD /whois": addressed,
    "GET /logs": { ...addressed, query: { limit: "10", cursor: "a" } },
    "GET /files/:id": { ...addressed, params: { id: ids.file } },
    "GET /blobs/:owner/:blobKey": { params: { owner: blobOwner, blobKey }, query: { expires: "1", signature: "a" } },
    "GET /platform-access": { ...addressed, query: { limit: "10", cursor: "a" } },
    "GET /export": byOthers,
    "GET /move": byOthers,
    "POST /move": { ...byOthers, body: json({ to: "https://hostile.example" }) },
    "DELETE /move": byOthers,
    "POST /move/finish": { ...byOthers, body: json({}) },
    "GET /import": byOthers,
    "POST /import": { ...byOthers, body: json({ header, code: "dsi_a" }) },
    "DELETE /import": byOthers,
    "POST /import/entries": { ...byOthers, body: json({ from: 0, entries: ['["token",{}]'] }) },
    "POST /import/finish": { ...byOthers, body: json({ manifest: { kinds: {}, digest: "a" } }) },
    "POST /import/activate": { ...byOthers, body: json({}) },
    "POST /erase": { ...byOthers, body: json({ confirm: owner, id: "a", after: "a" }) },
    "POST /pp-auth/challenge": { headers: addressed.headers, body: json({ deployment: owner, audience: owner }) },
    "POST /pp-auth/verify": { headers: addressed.headers, body: json(handshake(owner, publicKey)) },
    "PATCH /public-key": {
      headers: addressed.headers,
      callers: [...addressed.callers, "provisioning token"],
      body: json({ publicKey }),
    },
    "DELETE /public-key": { ...addressed, body: json({ publicKey }) },
    "POST /provision": {
      body: json({
        registryEntropy: entropy,
        namespace: "7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162",
        verificationId: DEMO_VERIFICATION_CODE,
        publicKey,
      }),
    },
  };
}

function handshake(owner: string, publicKey: string): BodyExample["value"] {
  const at = "2026-11-22T09:00:00.000Z";
  return {
    challenge: { nonce: "a".repeat(43), audience: owner, issuedAt: at, expiresAt: at },
    evidence: { deploymentEname: owner, platformEname: owner, version: "1.0.0", publicKey, accreditationJws: "a.b.c" },
    signature: "a".repeat(86),
    tokenBinding: "dpop",
  };
}

function portalExamples({ ids, spare, portal, webhookUrl }: Scene): RouteExamples {
  const visitor = { headers: { Cookie: portal.cookie } };
  const form = (fields: Readonly<Record<string, string>> = {}): RouteExample => ({
    ...visitor,
    body: { kind: "form", value: { token: portal.formToken, ...fields }, fixed: ["token"] },
  });
  const subscriptionPath = (path: string): string => `/portal/subscriptions/:id${path}`;
  const one = { params: { id: ids.subscription } };
  const unknown = { params: { id: "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64" } };
  const subscription = { targetUrl: webhookUrl, ontologyFilter: "note-v1", vaultFilter: spare, secret: "" };
  return {
    "GET /": {},
    "GET /portal": { ...visitor, query: { period: "hour" } },
    "GET /portal/sign-in": { headers: { Cookie: "ds_sign_in=a" } },
    "GET /portal/signed": {},
    "GET /deeplink-login": { query: { ename: spare, session: "a".repeat(43), signature: "a".repeat(86) } },
    "POST /portal/sign-in/dev": { body: { kind: "form", value: { a: "b" }, fixed: [] } },
    "POST /portal/sign-out": { body: { kind: "form", value: { token: "a" }, fixed: [] } },
    "GET /portal/subscriptions": visitor,
    "GET /portal/subscriptions/new": visitor,
    "POST /portal/subscriptions": form(subscription),
    [`GET ${subscriptionPath("")}`]: { ...visitor, ...one },
    [`POST ${subscriptionPath("")}`]: { ...form(subscription), ...one },
    [`GET ${subscriptionPath("/edit")}`]: { ...visitor, ...one },
    [`POST ${subscriptionPath("/active")}`]: { ...form({ active: "true" }), ...one },
    [`POST ${subscriptionPath("/remove")}`]: { ...form(), ...unknown },
    [`POST ${subscriptionPath("/rotate-secret")}`]: { ...form(), ...one },
    [`POST ${subscriptionPath("/test")}`]: { ...form(), ...one },
    [`GET ${subscriptionPath("/attempts")}`]: {
      ...visitor,
      ...one,
      query: { after: ids.subscription, outcome: "failed", ontology: "note-v1", since: "2026-11-22T09:00", until: "" },
    },
    [`GET ${subscriptionPath("/dead-letters")}`]: {
      ...visitor,
      ...one,
      query: { first: "10", after: ids.subscription },
    },
    [`POST ${subscriptionPath("/redrive")}`]: { ...form({ eventId: ids.subscription }), ...one },
    [`GET ${subscriptionPath("/replay")}`]: { ...visitor, ...one },
    [`POST ${subscriptionPath("/replay")}`]: { ...form({ since: "2026-11-22T09:00:00Z", doIt: "no" }), ...one },
    [`GET ${subscriptionPath("/events/:eventId")}`]: {
      ...visitor,
      params: { ...one.params, eventId: ids.subscription },
    },
    [`POST ${subscriptionPath("/events/:eventId/resend")}`]: {
      ...form(),
      params: { ...one.params, eventId: ids.subscription },
    },
    "GET /portal/api-keys": visitor,
    "POST /portal/api-keys": form({ label: "hostile" }),
    "POST /portal/api-keys/:id/revoke": { ...form(), params: { id: "dsk_Vb3kQ9x2LmTe" } },
    "GET /portal/platforms": visitor,
    "POST /portal/platforms": form({ ename: spare, platform: "hostile" }),
    "POST /portal/platforms/:ename/withdraw": { ...form(), params: { ename: spare } },
  };
}
