import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { makeEvent } from "./support/events.ts";
import { startReceiver, startWorker, until } from "./support/real-delivery.ts";
import { startAwareness, WEBHOOK_KEY } from "./support/start-awareness.ts";

type Options = { method?: string; body?: unknown };

/** A service whose worker runs, a person, and the person's subscription to a receiver whose answers the test decides. */
async function subscribed(t: Parameters<typeof startAwareness>[0]) {
  const state = { status: 200 };
  const receiver = await startReceiver((response, { headers }) => {
    response.writeHead(headers["webhook-type"] === "challenge" ? 204 : state.status).end("said the receiver");
  });
  t.after(() => receiver[Symbol.asyncDispose]());
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const ask = async (path: string, options: Options = {}) =>
    awareness.ask(path, { ...options, credential: await person.token() });
  const { body: subscription } = await ask("/api/subscriptions", { body: { targetUrl: receiver.url } });
  const worker = startWorker(awareness.database);
  t.after(() => worker[Symbol.asyncDispose]());
  const webhooks = () => receiver.received.filter(({ headers }) => headers["webhook-type"] === undefined);
  const path = `/api/subscriptions/${subscription.id}`;
  return { awareness, ask, subscription, webhooks, state, path };
}

test("what is ingested is delivered to the byte, and verifies by the secret and by the published key [V-SVC-016] [V-EVT-006] [V-EVT-010] [V-EVT-161] [V-EVT-167]", async (t) => {
  const { awareness, subscription, webhooks } = await subscribed(t);
  const event = makeEvent({ data: { text: "grüße", n: 1.5 } });
  await awareness.ingest(event);
  await until(() => webhooks().length === 1, "the webhook");
  const { headers, body } = webhooks()[0]!;
  assert.equal(body, event.body);
  const published = await awareness.ask("/.well-known/webhook-keys");
  assert.deepEqual(published.body, { keys: [WEBHOOK_KEY.published] });
  const { kty, crv, x } = WEBHOOK_KEY.published;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"]);
  const webhook = {
    headers: {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"]),
    },
    body,
    nowSeconds: Date.now() / 1000,
  };
  const secrets = [parseWebhookSecret(subscription.secret)];
  assert.equal(await verifyWebhook({ ...webhook, secrets, publicKeys: [] }), "v1");
  assert.equal(await verifyWebhook({ ...webhook, secrets: [], publicKeys: [key] }), "v1a");
});

test("attempts are listed newest first, by pages and by event [V-EVT-241]", async (t) => {
  const { awareness, ask, webhooks, path } = await subscribed(t);
  const events = [makeEvent(), makeEvent(), makeEvent()];
  for (const event of events) {
    const { length } = webhooks();
    await awareness.ingest(event);
    await until(() => webhooks().length > length, "the webhook");
    await until(async () => (await ask(`${path}/attempts`)).body.attempts.length > length, "its attempt");
  }
  const eventIds = events.map((event) => JSON.parse(event.body).eventId);
  const { attempts, next } = (await ask(`${path}/attempts`)).body;
  assert.deepEqual(
    attempts.map(({ eventId }: { eventId: string }) => eventId),
    eventIds.toReversed(),
  );
  assert.equal(next, null);
  const { id, startedAt, durationMs, ...rest } = attempts[2];
  assert.deepEqual(rest, { eventId: eventIds[0], number: 1, status: 200, error: null, answer: "said the receiver" });
  assert.equal(id, webhooks()[0]!.headers["webhook-delivery-id"]);
  assert.ok(!Number.isNaN(Date.parse(startedAt)) && durationMs >= 0);
  const page = (await ask(`${path}/attempts?first=2`)).body;
  assert.deepEqual(page, { attempts: attempts.slice(0, 2), next: attempts[1].id });
  assert.deepEqual((await ask(`${path}/attempts?first=2&after=${page.next}`)).body, {
    attempts: [attempts[2]],
    next: null,
  });
  assert.deepEqual((await ask(`${path}/attempts?eventId=${eventIds[1]}`)).body, {
    attempts: [attempts[1]],
    next: null,
  });
});

test("dead letters are listed, and redriven in order, marked as replays [V-EVT-242] [V-EVT-243] [V-EVT-148]", async (t) => {
  const { awareness, ask, webhooks, state, path } = await subscribed(t);
  state.status = 500;
  const id = randomUUID();
  const events = [1, 2].map((streamVersion) => makeEvent({ id, streamVersion }));
  await awareness.ingest(events);
  // A day passes: what is tried after its deadline is tried for the last time.
  await awareness.database.query({ text: "update delivery set deadline = now() - interval '1 s'", values: [] });
  await awareness.database.query({ text: "update lane set next_at = now() where next_at is not null", values: [] });
  const dead = async () => (await ask(`${path}/dead-letters`)).body;
  await until(async () => (await dead()).deadLetters.length === 2, "two dead letters");
  const eventIds = events.map((event) => JSON.parse(event.body).eventId);
  const { deadLetters } = await dead();
  const { diedAt, ...letter } = deadLetters[1];
  const common = { id, dsid: JSON.parse(events[0]!.body).dsid, schemaId: "note", reason: "status_500" };
  assert.deepEqual(letter, { ...common, eventId: eventIds[0], streamVersion: 1 });
  assert.ok(Date.now() - Date.parse(diedAt) < 60_000);
  const page = (await ask(`${path}/dead-letters?first=1`)).body;
  assert.equal(page.next, eventIds[1]);
  assert.equal((await ask(`${path}/dead-letters?first=1&after=${page.next}`)).body.deadLetters[0].eventId, eventIds[0]);
  state.status = 200;
  const before = webhooks().length;
  const answer = await ask(`${path}/redrive`, { body: {} });
  assert.deepEqual([answer.status, answer.body], [200, { dryRun: false, deliveries: 2, lanes: 1, busyLanes: 0 }]);
  await until(() => webhooks().length === before + 2, "both again");
  const again = webhooks().slice(before);
  assert.deepEqual(
    again.map(({ body }) => body),
    events.map(({ body }) => body),
  );
  assert.deepEqual(
    again.map(({ headers }) => headers["webhook-replay"]),
    ["true", "true"],
  );
  assert.deepEqual((await dead()).deadLetters, []);
});

test("a replay since a time is counted first and then sent [V-EVT-149] [V-EVT-244]", async (t) => {
  const { awareness, ask, webhooks, path } = await subscribed(t);
  const since = new Date(Date.now() - 1_000).toISOString();
  const id = randomUUID();
  await awareness.ingest([1, 2, 3].map((streamVersion) => makeEvent({ id, streamVersion })));
  await until(async () => (await ask(`${path}/attempts`)).body.attempts.length === 3, "three deliveries");
  const counted = await ask(`${path}/replay`, { body: { since, dryRun: true } });
  assert.deepEqual(counted.body, { dryRun: true, deliveries: 3, lanes: 1, busyLanes: 0 });
  assert.equal(webhooks().length, 3);
  const replayed = await ask(`${path}/replay`, { body: { since } });
  assert.deepEqual(replayed.body, { dryRun: false, deliveries: 3, lanes: 1, busyLanes: 0 });
  await until(() => webhooks().length === 6, "all three again");
  const versions = webhooks().map(({ body }) => JSON.parse(body).streamVersion);
  assert.deepEqual(versions, [1, 2, 3, 1, 2, 3]);
  const later = { since: new Date(Date.now() + 60_000).toISOString(), dryRun: true };
  assert.equal((await ask(`${path}/replay`, { body: later })).body.deliveries, 0);
});

test("the deliveries of somebody else's subscription are not found, and what cannot be read is refused [V-EVT-241]", async (t) => {
  const { awareness, ask, path } = await subscribed(t);
  const other = await awareness.createPerson();
  const doors: readonly (readonly [string, Options])[] = [
    ["attempts", {}],
    ["dead-letters", {}],
    ["redrive", { body: {} }],
    ["replay", { body: { since: "2026-01-01T00:00:00Z" } }],
  ];
  for (const [door, options] of doors) {
    const asOther = await awareness.ask(`${path}/${door}`, { ...options, credential: await other.token() });
    assert.deepEqual([asOther.status, asOther.code], [404, "NOT_FOUND"], door);
    assert.equal((await awareness.ask(`${path}/${door}`, options)).code, "UNAUTHENTICATED", door);
  }
  const bad: readonly (readonly [string, Options])[] = [
    ["attempts?first=0", {}],
    ["attempts?first=201", {}],
    ["attempts?first=x", {}],
    ["attempts?after=1", {}],
    ["attempts?eventid=1", {}],
    ["attempts?first=1&first=2", {}],
    ["dead-letters?after='", {}],
    ["redrive", { body: { eventId: "x" } }],
    ["redrive", { body: [] }],
    ["redrive", { body: { all: true } }],
    ["replay", { body: {} }],
    ["replay", { body: { since: "yesterday" } }],
    ["replay", { body: { since: "2026-13-01T00:00:00Z" } }],
    ["replay", { body: { since: "2026-01-01T00:00:00Z", dryRun: "yes" } }],
  ];
  for (const [door, options] of bad) {
    const { status, code } = await ask(`${path}/${door}`, options);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], `${door} ${JSON.stringify(options)}`);
  }
});
