import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { makeEvent } from "./support/events.ts";
import { startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const SUBSCRIPTIONS = "/api/subscriptions";
const KEYS = "/api/me/api-keys";
const PLATFORMS = "/api/platforms";

async function makeKey(
  awareness: TestAwareness,
  credential: string,
): Promise<{ readonly id: string; readonly key: string }> {
  const { status, body } = await awareness.ask(KEYS, { body: { label: "server" }, credential });
  assert.equal(status, 201);
  return body;
}

test("every route of the API is 401 without a credential, and with one that does not hold", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const forged = `${(await person.token()).split(".").slice(0, 2).join(".")}.${"A".repeat(86)}`;
  const stranger = await (await startAwareness(t)).createPerson();
  const credentials: readonly (readonly [string | undefined, string])[] = [
    [undefined, "UNAUTHENTICATED"],
    ["dsk_0123456789", "INVALID_TOKEN"],
    ["opaque", "INVALID_TOKEN"],
    ["a.b.c", "INVALID_TOKEN"],
    [forged, "INVALID_TOKEN"],
    [await person.token("https://awareness.example.org"), "INVALID_TOKEN"],
    [await person.token(person.ename), "INVALID_TOKEN"],
    [await stranger.token(awareness.url), "INVALID_TOKEN"],
  ];
  const routes = [
    ...[`GET ${SUBSCRIPTIONS}`, `POST ${SUBSCRIPTIONS}`, `GET ${SUBSCRIPTIONS}/1`, `PATCH ${SUBSCRIPTIONS}/1`],
    ...[`DELETE ${SUBSCRIPTIONS}/1`, `GET ${KEYS}`, `POST ${KEYS}`, `DELETE ${KEYS}/1`, `GET ${PLATFORMS}`],
    ...[`PUT ${PLATFORMS}/1`, `DELETE ${PLATFORMS}/1`],
  ];
  for (const route of routes) {
    const [method, path] = route.split(" ") as [string, string];
    const body = /POST|PATCH|PUT/.test(method) ? { body: {} } : {};
    for (const [credential, code] of credentials) {
      const answer = await awareness.ask(path, {
        method,
        ...body,
        ...(credential === undefined ? {} : { credential }),
      });
      assert.deepEqual([answer.status, answer.code], [401, code], `${route} ${credential}`);
    }
  }
});

test("a wallet token for the service's origin makes its eName a consumer, the same one at every call [V-EVT-290]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const add = async () =>
    awareness.ask(SUBSCRIPTIONS, { body: { targetUrl: awareness.endpoint.url }, credential: await person.token() });
  await Promise.all([add(), add(), add()]);
  const list = await awareness.ask(SUBSCRIPTIONS, { credential: await person.token() });
  assert.equal(list.body.subscriptions.length, 3);
  const { rows } = await awareness.database.query({
    text: "select ename, approved, platform from consumer",
    values: [],
  });
  assert.deepEqual(rows, [{ ename: person.ename, approved: false, platform: null }]);
});

test("an API key made by a wallet is shown once, stored as its hash, stands for the same consumer, and stops when it is revoked [V-EVT-289]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const { id, key } = await makeKey(awareness, await person.token());
  assert.match(key, /^dsk_[A-Za-z0-9_-]{43}$/);
  assert.ok(key.startsWith(id));
  const made = await awareness.ask(SUBSCRIPTIONS, { body: { targetUrl: awareness.endpoint.url }, credential: key });
  assert.equal(made.status, 201);
  const byWallet = await awareness.ask(SUBSCRIPTIONS, { credential: await person.token() });
  assert.equal(byWallet.body.subscriptions[0].id, made.body.id);
  const { rows } = await awareness.database.query<{ hash: Buffer }>({
    text: "select key_hash as hash from api_key",
    values: [],
  });
  assert.deepEqual(rows[0]?.hash, createHash("sha256").update(key).digest());
  const list = await awareness.ask(KEYS, { credential: await person.token() });
  assert.deepEqual(
    list.body.apiKeys.map((one: object) => Object.keys(one)),
    [["id", "label", "createdAt"]],
  );
  const other = await awareness.createPerson();
  const foreign = await awareness.ask(`${KEYS}/${id}`, { method: "DELETE", credential: await other.token() });
  assert.deepEqual([foreign.status, foreign.code], [404, "NOT_FOUND"]);
  assert.equal((await awareness.ask(SUBSCRIPTIONS, { credential: key })).status, 200);
  assert.equal(
    (await awareness.ask(`${KEYS}/${id}`, { method: "DELETE", credential: await person.token() })).status,
    204,
  );
  assert.equal((await awareness.ask(SUBSCRIPTIONS, { credential: key })).code, "INVALID_TOKEN");
  assert.deepEqual((await awareness.ask(KEYS, { credential: await person.token() })).body, { apiKeys: [] });
});

test("an API key makes, lists and revokes no API keys, and its label is text of 1 to 100 characters [V-EVT-289]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const { id, key } = await makeKey(awareness, await person.token());
  for (const [method, path] of [
    ["POST", KEYS],
    ["GET", KEYS],
    ["DELETE", `${KEYS}/${id}`],
  ] as const) {
    const body = method === "POST" ? { body: { label: "another" } } : {};
    const { status, code } = await awareness.ask(path, { method, ...body, credential: key });
    assert.deepEqual([status, code], [403, "WALLET_REQUIRED"], method);
  }
  for (const label of [undefined, "", "x".repeat(101), "a\u0000", 1]) {
    assert.equal(
      (await awareness.ask(KEYS, { body: { label }, credential: await person.token() })).code,
      "BAD_REQUEST",
    );
  }
});

test("a consumer has at most 20 API keys, also with concurrent requests; a revoked one frees its place", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const add = async () => awareness.ask(KEYS, { body: { label: "server" }, credential: await person.token() });
  const answers = await Promise.all(Array.from({ length: 60 }, add));
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status, code }) => status === 409 && code === "TOO_MANY");
  assert.deepEqual([made.length, refused.length], [20, 40]);
  const one = `${KEYS}/${made[0]?.body.id}`;
  assert.equal((await awareness.ask(one, { method: "DELETE", credential: await person.token() })).status, 204);
  assert.deepEqual([(await add()).status, (await add()).code], [201, "TOO_MANY"]);
});

test("a wallet makes no platform; the word of an eName in DS_AWARENESS_ADMINS does, until it is taken back [V-EVT-293] [V-EVT-294]", async (t) => {
  const admins = new Set<Awaited<ReturnType<TestAwareness["createPerson"]>>["ename"]>();
  const awareness = await startAwareness(t, { admins });
  const [admin, platform] = [await awareness.createPerson(), await awareness.createPerson()];
  admins.add(admin.ename);
  const one = `${PLATFORMS}/${platform.ename}`;
  const put = async (credential: string, body?: unknown) =>
    awareness.ask(one, { method: "PUT", body: body ?? {}, credential });
  for (const credential of [await platform.token(), (await makeKey(awareness, await admin.token())).key]) {
    const { status, code } = await put(credential);
    assert.deepEqual([status, code], [403, "NOT_AN_ADMIN"]);
    assert.equal((await awareness.ask(PLATFORMS, { credential })).code, "NOT_AN_ADMIN");
    assert.equal((await awareness.ask(one, { method: "DELETE", credential })).code, "NOT_AN_ADMIN");
  }
  const list = async () => (await awareness.ask(PLATFORMS, { credential: await admin.token() })).body.platforms;
  assert.deepEqual(await list(), []);
  assert.deepEqual((await put(await admin.token(), {})).body, { ename: platform.ename, platform: platform.ename });
  assert.deepEqual((await put(await admin.token(), { platform: "blabsy" })).body, {
    ename: platform.ename,
    platform: "blabsy",
  });
  assert.deepEqual(await list(), [{ ename: platform.ename, platform: "blabsy" }]);
  for (const body of [{ platform: "" }, { platform: 1 }, { name: "x" }]) {
    assert.equal((await put(await admin.token(), body)).code, "BAD_REQUEST");
  }
  const none = await awareness.ask(`${PLATFORMS}/blabsy`, { method: "PUT", body: {}, credential: await admin.token() });
  assert.equal(none.code, "BAD_REQUEST");
  assert.equal((await awareness.ask(one, { method: "DELETE", credential: await admin.token() })).status, 204);
  assert.deepEqual(await list(), []);
});

test("in the development stack a call of this machine without a credential is the consumer `dev`; elsewhere it is nobody [V-EVT-187] [decision E9]", async (t) => {
  const dev = await startAwareness(t, { devConsumer: true });
  const made = await dev.ask(SUBSCRIPTIONS, { body: { targetUrl: dev.endpoint.url } });
  assert.equal(made.status, 201);
  const { rows } = await dev.database.query({ text: "select name, approved from consumer", values: [] });
  assert.deepEqual(rows, [{ name: "dev", approved: true }]);
  assert.equal(
    (await dev.ask(SUBSCRIPTIONS, { credential: "wrong" })).code,
    "INVALID_TOKEN",
    "a wrong one is not none",
  );
  await dev.ingest(makeEvent());
  assert.equal((await dev.database.query({ text: "select from delivery", values: [] })).rowCount, 1);
  const again = await startAwareness(t, { devConsumer: true, database: dev.database });
  assert.equal((await again.ask(SUBSCRIPTIONS)).body.subscriptions.length, 1);
});

test("requests of one address are limited, events of vaults are not [decision V21]", async (t) => {
  const awareness = await startAwareness(t, { requestsPerAddress: 2 });
  const codes = [];
  for (let index = 0; index < 3; index += 1) codes.push((await awareness.ask(SUBSCRIPTIONS)).code);
  assert.deepEqual(codes, ["UNAUTHENTICATED", "UNAUTHENTICATED", "RATE_LIMITED"]);
  for (let index = 0; index < 4; index += 1) assert.equal((await awareness.ingest(makeEvent())).status, 200);
});
