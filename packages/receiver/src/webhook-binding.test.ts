import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryWebhookStore } from "./memory-webhook-store.ts";
import {
  createTestSender,
  makeChallenge,
  makeEvent,
  TEST_SUBSCRIPTION,
  TEST_TARGET,
  type TestDelivery,
  type TestSigning,
} from "./test-sender.ts";
import { createWebhookReceiver } from "./webhook-receiver.ts";
import type { WebhookTrustConfig } from "./webhook-trust.ts";

const AWARENESS = "https://awareness.example";
const STRANGERS = "11111111-2222-4333-8444-555555555555";
const REFUSED = [401, "INVALID_SIGNATURE"];

async function setup(trust: "keys" | "secrets and keys", more: WebhookTrustConfig = {}) {
  const sender = await createTestSender();
  const applied: unknown[] = [];
  const receive = createWebhookReceiver(
    {
      awarenessUrl: AWARENESS,
      targetUrl: TEST_TARGET,
      ...(trust === "keys" ? {} : { secrets: [sender.secret] }),
      ...more,
      store: createMemoryWebhookStore(),
      onEvent: (event) => void applied.push(event),
      onError: (error) => assert.fail(String(error)),
    },
    { clock: { nowMs: Date.now }, fetch: async () => Response.json({ keys: [sender.publicJwk] }) },
  );
  const post = async (delivery: TestDelivery): Promise<readonly [number, unknown]> => {
    const response = await receive(new Request(TEST_TARGET, delivery));
    const body = (await response.json()) as { status?: unknown; error?: { code: unknown } };
    return [response.status, body.status ?? body.error?.code];
  };
  const send = async (body: object, how: TestSigning = {}) => post(await sender.sign(body, { by: "key", ...how }));
  return { sender, applied, post, send };
}

test("a receiver with a secret refuses the challenge of a stranger's subscription to its address [decision E9]", async () => {
  const { send, applied } = await setup("secrets and keys");
  const how = { subscriptionId: STRANGERS, type: "challenge" };
  assert.deepEqual(await send(makeChallenge(), how), REFUSED);
  assert.deepEqual(await send(makeEvent(), how), REFUSED);
  const listed = await setup("keys", { subscriptions: [TEST_SUBSCRIPTION] });
  assert.deepEqual(await listed.send(makeChallenge(), how), REFUSED);
  assert.deepEqual(await listed.send(makeEvent(), how), REFUSED);
  assert.deepEqual([applied, listed.applied], [[], []]);
  assert.deepEqual(await send(makeChallenge(), { by: "secret" }), [200, "challenge"]);
});

test("a subscription whose id is listed passes by key, also beside a secret [decision E9]", async () => {
  for (const trust of ["keys", "secrets and keys"] as const) {
    const { send } = await setup(trust, { subscriptions: [TEST_SUBSCRIPTION] });
    assert.deepEqual(await send(makeChallenge()), [200, "challenge"], trust);
    assert.deepEqual(await send(makeEvent()), [200, "applied"], trust);
  }
});

test("a webhook that was sent to another target and forwarded by hand is refused [decision E3]", async () => {
  const { send, applied } = await setup("keys");
  for (const targetUrl of ["https://stranger.example/hook", `${TEST_TARGET}/`, "http://localhost:81/api/webhook"]) {
    assert.deepEqual(await send(makeEvent(), { targetUrl }), REFUSED, targetUrl);
    assert.deepEqual(await send(makeChallenge(), { targetUrl }), REFUSED, targetUrl);
  }
  assert.deepEqual(applied, []);
  assert.deepEqual(await send(makeEvent(), { targetUrl: "HTTP://LOCALHOST:80/api/webhook" }), [200, "applied"]);
});

test("a binding is valid only for its own webhook, subscription, time and body [decision E3]", async () => {
  const { sender, post, applied } = await setup("keys", { subscriptions: [TEST_SUBSCRIPTION, STRANGERS] });
  const event = makeEvent();
  const good = await sender.sign(event, { by: "key" });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const others = {
    "another webhook": await sender.sign({ ...event, eventId: crypto.randomUUID() }, { by: "key" }),
    "another subscription": await sender.sign(event, { by: "key", subscriptionId: STRANGERS }),
    "another time": await sender.sign(event, { by: "key", atSeconds: nowSeconds - 60 }),
    "another body": await sender.sign({ ...event, data: {} }, { by: "key" }),
    "a stranger's key": await (await createTestSender()).sign(event, { by: "key" }),
  };
  for (const [name, other] of Object.entries(others)) {
    const binding = { "webhook-binding": String(other.headers["webhook-binding"]) };
    assert.deepEqual(await post({ ...good, headers: { ...good.headers, ...binding } }), REFUSED, name);
  }
  const { "webhook-binding": binding, ...unbound } = good.headers;
  assert.deepEqual(await post({ ...good, headers: unbound }), REFUSED, "none");
  const signatures = {
    "webhook-signature": String(binding),
    "webhook-binding": String(good.headers["webhook-signature"]),
  };
  assert.deepEqual(await post({ ...good, headers: { ...good.headers, ...signatures } }), REFUSED, "each as the other");
  assert.deepEqual(applied, []);
  assert.deepEqual(await post(good), [200, "applied"]);
});

test("an unsigned header does not turn an event into a challenge, and a challenge without that header remains one [decision E9]", async () => {
  for (const by of ["secret", "key"] as const) {
    const { send, applied } = await setup(by === "secret" ? "secrets and keys" : "keys");
    assert.deepEqual(await send(makeEvent(), { by, type: "challenge" }), [200, "applied"], by);
    assert.deepEqual(await send(makeEvent({ data: { challenge: true } }), { by }), [200, "applied"], by);
    assert.deepEqual(await send(makeChallenge(), { by }), [200, "challenge"], by);
    assert.deepEqual(await send(makeChallenge(), { by, type: "event" }), [200, "challenge"], by);
    assert.equal(applied.length, 2);
  }
});

test("a receiver that trusts keys does not start without its own address [decision E9]", async () => {
  for (const targetUrl of ["", "/api/webhook", "ftp://localhost/"]) {
    await assert.rejects(setup("keys", { targetUrl }), { code: "INVALID_TARGET_URL" }, targetUrl);
  }
});
