import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "./support/open-api-shape.ts";
import { startApi } from "./support/start-api.ts";
import { CLIENT } from "./support/start-login.ts";

const NEW = { name: "Notes", redirectUris: ["https://rp.example/callback"] };

test("a script creates, reads, changes and deletes a client, and rotates its secret, with wallet tokens [S2 Client]", async (t) => {
  const { login, ask } = await startApi(t);
  const made = await ask("POST", "/api/clients", { body: { ...NEW, requireEmail: true } });
  assert.equal(made.status, 201, JSON.stringify(made.json));
  const { clientId, ...client } = made.json.client;
  assert.deepEqual(
    [client.name, client.requireEmail, client.confirmLogin, client.lastUsedAt],
    ["Notes", true, false, null],
  );
  const isRight = async (client_secret: string) =>
    (await login.token("any", { client_id: clientId, client_secret })).status === 400;
  assert.ok(await isRight(made.json.clientSecret));
  const changed = await ask("PATCH", `/api/clients/${clientId}`, { body: { confirmLogin: true } });
  assert.deepEqual([changed.json.client.confirmLogin, changed.json.client.requireEmail], [true, true]);
  const rotated = await ask("POST", `/api/clients/${clientId}/secret`);
  assert.deepEqual([await isRight(made.json.clientSecret), await isRight(rotated.json.clientSecret)], [true, true]);
  assert.equal((await ask("DELETE", `/api/clients/${clientId}/previous-secret`)).status, 204);
  assert.deepEqual([await isRight(made.json.clientSecret), await isRight(rotated.json.clientSecret)], [false, true]);
  assert.deepEqual((await ask("GET", "/api/clients")).json.clients.length, 2);
  assert.equal((await ask("DELETE", `/api/clients/${clientId}`)).status, 204);
  assert.equal((await ask("GET", `/api/clients/${clientId}`)).status, 404);
});

test("a logo is accepted as an image and encoded again; anything else is refused [T-75]", async (t) => {
  const { login, ask } = await startApi(t);
  const path = `/api/clients/${CLIENT.id}/logo`;
  assert.equal((await ask("PUT", path, { body: Buffer.from("<svg/>") })).status, 400);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  assert.equal((await ask("PUT", path, { body: png })).json.client.hasLogo, true);
  assert.equal((await login.get(`/clients/${CLIENT.id}/logo.png`)).status, 200);
  assert.equal((await ask("DELETE", path)).json.client.hasLogo, false);
});

test("a request without a token, another's client, and a fourth client in an hour are refused [L-LIM-011] [T-77]", async (t) => {
  const { login, ask } = await startApi(t);
  const without = await login.get("/api/clients");
  assert.deepEqual([without.status, ((await without.json()) as Refused).error.code], [401, "UNAUTHENTICATED"]);
  for (const [method, path] of [
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "/secret"],
    ["DELETE", "/previous-secret"],
    ["DELETE", "/logo"],
  ] as const) {
    const answer = await ask(method, `/api/clients/${CLIENT.id}${path}`, {
      by: "bob",
      ...(method === "PATCH" ? { body: {} } : {}),
    });
    assert.deepEqual([answer.status, answer.json.error.code], [404, "UNKNOWN_CLIENT"], `${method} ${path}`);
  }
  const made = await Promise.all([1, 2, 3, 4].map(() => ask("POST", "/api/clients", { by: "bob", body: NEW })));
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 201, 429]);
});

interface Refused {
  readonly error: { readonly code: string };
}

test("a wallet token changes one thing, once, also after a restart; a refused change does not spend it [decision I6]", async (t) => {
  const { login, ask } = await startApi(t);
  const tries = await Promise.all([1, 2, 3].map(() => ask("POST", "/api/clients", { token: "ada.same", body: NEW })));
  assert.deepEqual(tries.map(({ status }) => status).sort(), [201, 401, 401]);
  assert.equal((await ask("GET", "/api/clients", { token: "ada.same" })).status, 200);
  const nobodys = await ask("DELETE", "/api/clients/ds_nobody", { token: "ada.free" });
  assert.equal(nobodys.status, 404);
  const { ask: askNext } = await startApi(t, { database: login.database });
  const old = await askNext("POST", "/api/clients", { token: "ada.same", body: NEW });
  assert.deepEqual([old.status, old.json.error.code], [401, "TOKEN_SPENT"]);
  assert.equal((await askNext("POST", "/api/clients", { token: "ada.free", body: NEW })).status, 201);
});

/** Bodies that a new client cannot have. */
const BAD_BODIES: readonly unknown[] = [
  [],
  {},
  { ...NEW, name: 7 },
  { ...NEW, redirectUris: "https://rp.example/callback" },
  { ...NEW, redirectUris: ["https://a.example\nhttps://b.example"] },
  { ...NEW, redirectUris: ["javascript:alert(1)"] },
  { ...NEW, requireEmail: "yes" },
  { ...NEW, redirectUri: "https://rp.example/misspelt" },
];

test("a body that does not describe a client is refused, and costs neither the token nor the hour's limit", async (t) => {
  const { ask } = await startApi(t);
  for (const body of BAD_BODIES) {
    const answer = await ask("POST", "/api/clients", { token: "ada.kept", body });
    assert.deepEqual([answer.status, answer.json.error.code], [400, "INVALID_CLIENT_INPUT"], JSON.stringify(body));
  }
  assert.equal((await ask("POST", "/api/clients", { token: "ada.kept", body: NEW })).status, 201);
});

test("the OpenAPI document describes what is served, and the reference page lists each operation", async (t) => {
  const { login, ask } = await startApi(t);
  const document = (await (await login.get("/api/openapi.json")).json()) as OpenApi;
  const page = await (await login.get("/portal/api")).text();
  const made = await ask("POST", "/api/clients", { body: NEW });
  validate(document, "ClientWithSecret", made.json);
  validate(document, "Clients", (await ask("GET", "/api/clients")).json);
  validate(document, "Refusal", (await ask("GET", "/api/clients/nobody")).json);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const answer = await ask(method.toUpperCase(), path.replace("{clientId}", "nobody"));
      assert.notEqual(answer.json?.error?.code, "NOT_FOUND", `${method} ${path}`);
      assert.ok(page.includes(`${method.toUpperCase()} ${path}`));
    }
  }
});

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
