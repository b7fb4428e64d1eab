import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { isBoundBy } from "@dataspace/protocol/webhook-binding";
import { isWebhookChallenge } from "@dataspace/protocol/webhook-challenge";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { createSecretSeal } from "../src/subscriptions/secret-seal.ts";
import { makeEvent, OWNER } from "./support/events.ts";
import { allow, SERVICE_SECRET, startAwareness, type TestAwareness } from "./support/start-awareness.ts";
import { startEndpoint } from "./support/start-endpoint.ts";

const PATH = "/api/subscriptions";

interface Holder {
  readonly ask: (path: string, options?: { method?: string; body?: unknown }) => ReturnType<TestAwareness["ask"]>;
}

async function createHolder(awareness: TestAwareness): Promise<Holder> {
  const person = await awareness.createPerson();
  return { ask: async (path, options) => awareness.ask(path, { ...options, credential: await person.token() }) };
}

test("a subscription is made with a secret that is shown once and lies sealed in the table [V-EVT-280] [V-EVT-281] [V-EVT-283]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const wanted = {
    targetUrl: awareness.endpoint.url,
    ontologyFilter: ["note"],
    vaultFilter: [OWNER.toUpperCase().slice(1)],
  };
  const { status, headers, body } = await holder.ask(PATH, { body: wanted });
  assert.equal(status, 201);
  assert.equal(headers.get("cache-control"), "no-store");
  const { secret, ...shown } = body;
  assert.deepEqual(Object.keys(body).sort(), ["active", "id", "ontologyFilter", "secret", "targetUrl", "vaultFilter"]);
  assert.deepEqual(
    { ...shown, id: "" },
    { id: "", targetUrl: awareness.endpoint.url, ontologyFilter: ["note"], vaultFilter: [OWNER], active: true },
  );
  assert.match(secret, /^whsec_/);
  assert.equal(Buffer.from(secret.slice(6), "base64").length, 32);
  const list = await holder.ask(PATH);
  assert.deepEqual([list.status, list.body], [200, { subscriptions: [shown] }]);
  assert.deepEqual((await holder.ask(`${PATH}/${body.id}`)).body, shown);
  const { rows } = await awareness.database.query<{ sealed: Buffer }>({
    text: "select sealed from subscription_secret",
    values: [],
  });
  assert.equal(rows[0]?.sealed.includes(secret), false);
  assert.equal(createSecretSeal(SERVICE_SECRET).open(body.id, rows[0]!.sealed), secret);
  assert.throws(
    () => createSecretSeal(SERVICE_SECRET).open(crypto.randomUUID(), rows[0]!.sealed),
    "for its subscription alone",
  );
  assert.throws(() => createSecretSeal(`${SERVICE_SECRET}x`).open(body.id, rows[0]!.sealed), "with this key alone");
});

test("a secret of one's own is taken as `whsec_` and the base64 of 24 to 64 bytes; any other shape is refused [V-EVT-282]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const ask = (secret: unknown) => holder.ask(PATH, { body: { targetUrl: awareness.endpoint.url, secret } });
  const ofBytes = (bytes: number) => `whsec_${Buffer.alloc(bytes, 250).toString("base64")}`;
  for (const bytes of [24, 64]) {
    const { status, body } = await ask(ofBytes(bytes));
    assert.deepEqual([status, body.secret], [201, ofBytes(bytes)]);
  }
  const refused = [ofBytes(23), ofBytes(65), ofBytes(32).slice(6), "whsec_", 1, null];
  for (const secret of [...refused, ofBytes(32).replaceAll("+", "-").replaceAll("/", "_")]) {
    const { status, code } = await ask(secret);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], String(secret));
  }
});

test("a body with a member missing, unknown or of the wrong type is 400, and makes nothing [V-EVT-280]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const bodies: readonly unknown[] = [
    [],
    "text",
    {},
    { targetUrl: 1 },
    { targetUrl: awareness.endpoint.url, ontologyFilter: "note" },
    { targetUrl: awareness.endpoint.url, ontologyFilter: [1] },
    { targetUrl: awareness.endpoint.url, ontologyFilter: [""] },
    { targetUrl: awareness.endpoint.url, ontologyFilter: ["a\u0000"] },
    { targetUrl: awareness.endpoint.url, ontologyFilter: Array.from({ length: 101 }, (_, index) => `o${index}`) },
    { targetUrl: awareness.endpoint.url, vaultFilter: ["somebody"] },
    { targetUrl: awareness.endpoint.url, active: true },
    { targetUrl: awareness.endpoint.url, url: awareness.endpoint.url },
  ];
  for (const body of bodies) {
    const { status, code } = await holder.ask(PATH, { method: "POST", body: body === "text" ? '"text"' : body });
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(body));
  }
  assert.deepEqual((await holder.ask(PATH)).body, { subscriptions: [] });
});

test("a body with a field that does not exist is refused by the field's name and its line, before what is missing", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const body = '{\n  "vaultFilter": [],\n  "url" : "https://example.org",\n  "secret": "\\"url\\": 1"\n}';
  const answer = await holder.ask(PATH, { method: "POST", body });
  assert.equal(answer.status, 400);
  assert.match(
    JSON.stringify(answer.body),
    /There is no field \\"url\\" on line 3 of the body\. The fields are targetUrl, ontologyFilter, vaultFilter, secret\./,
  );
});

test("an address to which nothing may be sent is refused before anything is asked of anybody [V-EVT-221] [V-EVT-222]", async (t) => {
  const addresses = { "inner.example.org": ["10.0.0.7"] };
  const awareness = await startAwareness(t, { addresses, outgoingAllow: allow("") });
  const holder = await createHolder(awareness);
  for (const targetUrl of [awareness.endpoint.url, "https://inner.example.org/", "https://[::1]/", "nonsense"]) {
    const { status, code } = await holder.ask(PATH, { body: { targetUrl } });
    assert.deepEqual([status, code], [400, "INVALID_TARGET"], targetUrl);
  }
  assert.equal(awareness.endpoint.received.length, 0);
});

test("a target gets a challenge, signed by secret and by key, about a record that nobody has; only its 2xx makes the subscription [V-EVT-295] [V-EVT-296] [V-EVT-297] [V-EVT-298]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const { endpoint } = awareness;
  const made = await holder.ask(PATH, { body: { targetUrl: endpoint.url } });
  assert.equal(made.status, 201);
  const [challenge] = endpoint.received;
  assert.equal(challenge?.headers["webhook-type"], "challenge");
  assert.equal(challenge?.headers["webhook-subscription-id"], made.body.id);
  const body = JSON.parse(challenge!.body);
  assert.equal(challenge?.headers["webhook-id"], body.eventId);
  assert.equal(Object.keys(body).length, 9);
  for (const name of ["id", "schemaId"]) assert.match(body[name], /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  const verified = (keys: object) =>
    verifyWebhook({
      headers: challenge!.headers as never,
      body: challenge!.body,
      nowSeconds: Date.now() / 1000,
      secrets: [],
      publicKeys: [],
      ...keys,
    });
  assert.equal(await verified({ secrets: [parseWebhookSecret(made.body.secret)] }), "v1");
  const { keys } = (await awareness.ask("/.well-known/webhook-keys")).body;
  const publicKeys = [await crypto.subtle.importKey("jwk", keys[0], "Ed25519", false, ["verify"])];
  assert.equal(await verified({ publicKeys }), "v1a");
  assert.ok(isWebhookChallenge(body), "the signed body says that it is a challenge");
  const isBoundTo = (targetUrl: string, subscriptionId: string) =>
    isBoundBy(publicKeys, String(challenge!.headers["webhook-binding"]), {
      id: body.eventId,
      timestampSeconds: Number(challenge!.headers["webhook-timestamp"]),
      subscriptionId,
      targetUrl,
      bodySha256: createHash("sha256").update(challenge!.body).digest(),
    });
  assert.ok(await isBoundTo(endpoint.url, made.body.id));
  assert.ok(!(await isBoundTo(`${endpoint.url}/`, made.body.id)), "another target");
  assert.ok(!(await isBoundTo(endpoint.url, randomUUID())), "another subscription");
  for (const status of [302, 400, 404, 500]) {
    endpoint.status = status;
    const refused = await holder.ask(PATH, { body: { targetUrl: endpoint.url } });
    assert.deepEqual([refused.status, refused.code], [422, "TARGET_UNVERIFIED"], String(status));
  }
  assert.deepEqual(
    endpoint.received.map(({ path }) => path),
    endpoint.received.map(() => "/hook"),
    "no redirect is followed",
  );
  const nobody = await holder.ask(PATH, { body: { targetUrl: "http://127.0.0.1:9/" } });
  assert.equal(nobody.code, "TARGET_UNVERIFIED");
  assert.equal((await holder.ask(PATH)).body.subscriptions.length, 1);
});

test("a new target takes effect only once it answered a challenge with the subscription's own secret [V-EVT-285]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const made = await holder.ask(PATH, { body: { targetUrl: awareness.endpoint.url } });
  const next = await startEndpoint(t);
  const one = `${PATH}/${made.body.id}`;
  const move = () => holder.ask(one, { method: "PATCH", body: { targetUrl: next.url, active: false } });
  next.status = 500;
  assert.equal((await move()).code, "TARGET_UNVERIFIED");
  const { secret: _, ...before } = made.body;
  assert.deepEqual((await holder.ask(one)).body, before);
  next.status = 200;
  assert.deepEqual((await move()).body, { ...before, targetUrl: next.url, active: false });
  const [, challenge] = next.received;
  const secrets = [parseWebhookSecret(made.body.secret)];
  const { headers, body } = challenge!;
  assert.equal(
    await verifyWebhook({ headers: headers as never, body, nowSeconds: Date.now() / 1000, secrets, publicKeys: [] }),
    "v1",
  );
  await holder.ask(one, { method: "PATCH", body: { targetUrl: next.url } });
  assert.equal(next.received.length, 2, "the target that it has is not challenged again");
});

test("a test webhook is sent on request, signed, and its outcome is returned; never for another's subscription [V-EVT-247]", async (t) => {
  const awareness = await startAwareness(t);
  const [holder, other] = [await createHolder(awareness), await createHolder(awareness)];
  const { endpoint } = awareness;
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: endpoint.url } });
  const path = `${PATH}/${made.id}/test`;
  const sent = await holder.ask(path, { method: "POST" });
  assert.deepEqual([sent.status, sent.body.status, sent.body.error], [200, 204, null]);
  const { headers, body } = endpoint.received[1]!;
  assert.equal(headers["webhook-type"], "test");
  const secrets = [parseWebhookSecret(made.secret)];
  assert.equal(
    await verifyWebhook({ headers: headers as never, body, nowSeconds: Date.now() / 1000, secrets, publicKeys: [] }),
    "v1",
  );
  endpoint.status = 500;
  assert.equal((await holder.ask(path, { method: "POST" })).body.status, 500);
  assert.equal((await other.ask(path, { method: "POST" })).code, "NOT_FOUND");
  assert.equal(endpoint.received.length, 3);
});

test("a change is answered 200, turns a subscription off and on, and changes its filters and target [V-EVT-284] [V-EVT-287]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: awareness.endpoint.url } });
  const moved = await startEndpoint(t);
  const change = (body: unknown) => holder.ask(`${PATH}/${made.id}`, { method: "PATCH", body });
  const deliveries = async () => {
    await awareness.ingest(makeEvent());
    return (await awareness.database.query({ text: "select from delivery", values: [] })).rowCount;
  };
  const off = await change({ active: false });
  assert.deepEqual([off.status, off.body.active, off.body.secret], [200, false, undefined]);
  assert.equal(await deliveries(), 0);
  assert.equal((await change({ active: true, ontologyFilter: ["poll"] })).body.active, true);
  assert.equal(await deliveries(), 0);
  const open = await change({ ontologyFilter: [], vaultFilter: [OWNER], targetUrl: moved.url });
  assert.deepEqual(open.body, {
    id: made.id,
    targetUrl: moved.url,
    ontologyFilter: [],
    vaultFilter: [OWNER],
    active: true,
  });
  assert.equal(await deliveries(), 1);
  assert.equal((await change({ targetUrl: "http://10.0.0.1/" })).code, "INVALID_TARGET");
  for (const body of [{ secret: "whsec_" }, { id: made.id }, { active: "no" }, { removed: true }]) {
    assert.equal((await change(body)).code, "BAD_REQUEST", JSON.stringify(body));
  }
  assert.deepEqual((await holder.ask(`${PATH}/${made.id}`)).body, open.body);
});

test("a removed subscription is answered 204, is gone, and matches nothing [V-EVT-286]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: awareness.endpoint.url } });
  const one = `${PATH}/${made.id}`;
  assert.equal((await holder.ask(one, { method: "DELETE" })).status, 204);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const answer = await holder.ask(one, { method, ...(method === "PATCH" ? { body: {} } : {}) });
    assert.deepEqual([answer.status, answer.code], [404, "NOT_FOUND"], method);
  }
  assert.deepEqual((await holder.ask(PATH)).body, { subscriptions: [] });
  await awareness.ingest(makeEvent());
  assert.equal((await awareness.database.query({ text: "select from delivery", values: [] })).rowCount, 0);
});

test("consumers never see another's subscription: it is 404 like one that never was, and stays as it is [decision E9]", async (t) => {
  const awareness = await startAwareness(t);
  const [holder, other] = [await createHolder(awareness), await createHolder(awareness)];
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: awareness.endpoint.url } });
  assert.deepEqual((await other.ask(PATH)).body, { subscriptions: [] });
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const options = { method, ...(method === "PATCH" ? { body: { active: false } } : {}) };
    const answers: { readonly status: number; readonly body: unknown }[] = [];
    for (const id of [made.id, crypto.randomUUID(), "1", "'"]) {
      const { status, body } = await other.ask(`${PATH}/${id}`, options);
      answers.push({ status, body });
    }
    assert.equal(answers[0]?.status, 404, method);
    assert.deepEqual(
      answers,
      answers.map(() => answers[0]),
      method,
    );
  }
  assert.equal((await holder.ask(`${PATH}/${made.id}`)).body.active, true);
});

test("a consumer has at most 100 subscriptions, also when many are asked for at a time [decision E9]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const add = () => holder.ask(PATH, { body: { targetUrl: awareness.endpoint.url } });
  await add();
  await awareness.database.query({
    text: `insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, created_at)
           select gen_random_uuid(), id, 'http://127.0.0.1:9/', '{}', '{}', now() from consumer, generate_series(1, 97)`,
    values: [],
  });
  const codes = (await Promise.all(Array.from({ length: 6 }, add)))
    .map(({ status, code }) => `${status} ${code}`)
    .sort();
  assert.deepEqual(codes, ["201 undefined", "201 undefined", ...Array.from({ length: 4 }, () => "409 TOO_MANY")]);
});
