import assert from "node:assert/strict";
import { test } from "node:test";
import { create, signIn } from "./support/sign-in.ts";
import { startApi } from "./support/start-api.ts";
import { CLIENT, logIn, startLogin } from "./support/start-login.ts";

const NEW = { name: "Notes", redirectUris: ["https://rp.example/callback"] };
const OWN = `/api/clients/${CLIENT.id}`;

/** Each operation, with a body that the operation would refuse. */
const OPERATIONS = [
  ["GET", "/api/clients", undefined],
  ["POST", "/api/clients", { name: 7 }],
  ["GET", OWN, undefined],
  ["PATCH", OWN, { name: 7 }],
  ["DELETE", OWN, undefined],
  ["POST", `${OWN}/secret`, undefined],
  ["DELETE", `${OWN}/previous-secret`, undefined],
  ["PUT", `${OWN}/logo`, Buffer.from("no image")],
  ["DELETE", `${OWN}/logo`, undefined],
] as const;

test("each operation verifies the token before it looks at the body [decision V2]", async (t) => {
  const { login, ask, verified } = await startApi(t);
  for (const [method, path, body] of OPERATIONS) {
    const refused = await ask(method, path, { token: "nobody.1", body });
    assert.deepEqual([refused.status, refused.json.error.code], [401, "INVALID_TOKEN"], `${method} ${path}`);
    const { status } = await fetch(`${login.url}${path}`, { method });
    assert.equal(status, 401, `${method} ${path}`);
  }
  assert.equal(verified(), OPERATIONS.length);
});

test("requests of one address are limited, so tokens that nobody signed cause a bounded number of searches for keys [decision V21]", async (t) => {
  const { login, ask, verified } = await startApi(t, { perAddress: 3 });
  const answers = [];
  for (let sent = 0; sent < 5; sent += 1) answers.push(await ask("GET", "/api/clients", { token: "nobody.1" }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 429, 429],
  );
  assert.equal(verified(), 3);
  const exchange = await login.token("any");
  assert.equal(exchange.status, 429);
  assert.match(exchange.headers.get("retry-after") ?? "", /^[0-9]+$/);
  assert.equal(((await exchange.json()) as { readonly error: unknown }).error, "temporarily_unavailable");
});

test("an id that no client can have is not found, by every operation", async (t) => {
  const { ask } = await startApi(t);
  for (const id of ["%00", "a%00b", "%F0%9F%98%80", "x".repeat(200)]) {
    for (const [method, path] of OPERATIONS.filter(([, path]) => path !== "/api/clients" && !path.endsWith("logo"))) {
      const body = method === "PATCH" ? {} : undefined;
      const { status } = await ask(method, path.replace(CLIENT.id, id), { body });
      assert.equal(status, 404, `${method} ${path} ${id}`);
    }
    assert.equal((await ask("DELETE", `/api/clients/${id}/logo`)).status, 404);
  }
});

test("concurrent changes of different members do not undo each other", async (t) => {
  const { ask } = await startApi(t);
  for (let round = 0; round < 5; round += 1) {
    const isOn = round % 2 === 0;
    const bodies = [{ name: `Notes ${round}` }, { requireEmail: isOn }, { confirmLogin: isOn }];
    await Promise.all(bodies.map((body) => ask("PATCH", OWN, { body })));
    const { name, requireEmail, confirmLogin } = (await ask("GET", OWN)).json.client;
    assert.deepEqual({ name, requireEmail, confirmLogin }, Object.assign({}, ...bodies), `round ${round}`);
  }
});

test("the refusal of a client above the hourly limit says when the next one may be created [L-LIM-011] [T-77]", async (t) => {
  const { login } = await startApi(t);
  const create = (jti: number) =>
    fetch(`${login.url}/api/clients`, {
      method: "POST",
      headers: { authorization: `Bearer ada.${jti}`, "content-type": "application/json" },
      body: JSON.stringify(NEW),
    });
  for (const jti of [1, 2, 3]) assert.equal((await create(jti)).status, 201);
  login.setNow(Date.now() + 1_800_000);
  const refused = await create(4);
  assert.equal(refused.status, 429);
  const seconds = Number(refused.headers.get("retry-after"));
  assert.ok(seconds > 1_700 && seconds <= 1_800, `${seconds} s`);
});

test("logins read their client once from the database; a change of it counts at the next request [L-CLI-003]", async (t) => {
  let reads = 0;
  const login = await startLogin(t, {
    wrapDatabase: (database) => ({
      ...database,
      query: (statement) => {
        if ("name" in statement && statement.name === "login_client_find") reads += 1;
        return database.query(statement);
      },
    }),
  });
  for (let round = 0; round < 3; round += 1) {
    const code = (await logIn(login, await login.authorize())).get("code") ?? "";
    assert.equal((await login.token(code)).status, 200);
  }
  assert.equal(reads, 1);
  const developer = await signIn(login);
  const at = `/portal/clients/${CLIENT.id}`;
  await developer.send(at, { name: "Renamed", redirect_uris: CLIENT.redirectUri, confirm_login: "on" });
  const opened = await login.authorize();
  assert.match(opened.page, /Log in to Renamed/);
  assert.equal((await logIn(login, opened)).get("code"), null, "the login waits for its confirmation");
  await developer.send(`${at}/rotate`, {});
  await developer.send(`${at}/end-previous-secret`, {});
  assert.equal((await login.token("any")).status, 401);
  await developer.send(`${at}/delete`, { confirmation: "Renamed" });
  assert.equal((await login.authorize()).response.status, 400);
  const made = await create(developer);
  assert.equal((await login.authorize({ client_id: made.id })).response.status, 200);
});

test("a client that is deleted while it is read is not cached", async (t) => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isHeld = true;
  const login = await startLogin(t, {
    wrapDatabase: (database) => ({
      ...database,
      query: async (statement) => {
        const found = await database.query(statement);
        if (isHeld && "name" in statement && statement.name === "login_client_find") {
          isHeld = false;
          reached.resolve();
          await gate.promise;
        }
        return found as never;
      },
    }),
  });
  const slow = login.authorize();
  await reached.promise;
  const developer = await signIn(login);
  await developer.send(`/portal/clients/${CLIENT.id}/delete`, { confirmation: CLIENT.name });
  gate.resolve();
  await slow;
  assert.equal((await login.authorize()).response.status, 400);
});

test("the last use is shown at once, and is stored when the connector stops [L-CLI-011]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  assert.equal((await login.token(code)).status, 200);
  assert.doesNotMatch((await developer.get("/portal")).html, /Never/);
  await login.close();
  const { rows } = await login.database.query<{ readonly used: boolean }>({
    text: "select last_used_at is not null as used from login_client where client_id = $1",
    values: [CLIENT.id],
  });
  assert.deepEqual(rows, [{ used: true }]);
});
