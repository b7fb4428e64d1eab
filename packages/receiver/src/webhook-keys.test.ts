import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createMemoryWebhookStore } from "./memory-webhook-store.ts";
import { createTestSender, makeChallenge, makeEvent, TEST_TARGET, type TestDelivery } from "./test-sender.ts";
import { createWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

interface Awareness extends AsyncDisposable {
  readonly url: string;
  /** The content of /.well-known/webhook-keys; undefined: 503. */
  document: unknown;
  readonly asked: string[];
}

async function startAwareness(document: unknown): Promise<Awareness> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(awareness.document === undefined ? 503 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(awareness.document));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const awareness: Awareness = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    document,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return awareness;
}

async function setup(secrets?: readonly string[]) {
  let nowMs = 1_795_000_000_000;
  const clock = { nowMs: () => nowMs };
  const sender = await createTestSender(clock.nowMs);
  const awareness = await startAwareness({ keys: [{ ...sender.publicJwk, kid: "1", use: "sig" }] });
  const applied: unknown[] = [];
  const errors: unknown[] = [];
  const receive = createWebhookReceiver(
    {
      awarenessUrl: `${awareness.url}/`,
      targetUrl: TEST_TARGET,
      ...(secrets === undefined ? {} : { secrets }),
      store: createMemoryWebhookStore(),
      onEvent: (event) => void applied.push(event),
      onError: (error) => void errors.push(error),
    },
    { fetch, clock },
  );
  const advanceSeconds = (seconds: number) => {
    nowMs += seconds * 1000;
  };
  return { sender, awareness, applied, errors, receive, advanceSeconds, clock };
}

async function post(receive: WebhookReceiver, delivery: TestDelivery): Promise<readonly [number, unknown]> {
  const response = await receive(new Request(TEST_TARGET, delivery));
  const body = (await response.json()) as { status?: unknown; error?: { code: unknown } };
  return [response.status, body.status ?? body.error?.code];
}

test("before the secret is known a challenge is verified by the awareness service's key; afterwards everything is verified by the secret alone [decision E9]", async () => {
  const { sender, awareness, applied, receive } = await setup();
  await using _awareness = awareness;
  assert.deepEqual(await post(receive, await sender.sign(makeChallenge())), [200, "challenge"]);
  assert.deepEqual(awareness.asked, ["/.well-known/webhook-keys"]);
  assert.deepEqual(applied, []);
  const later = await setup([sender.secret]);
  await using _later = later.awareness;
  for (const made of [makeChallenge(), makeEvent()]) {
    const byKey = await later.sender.sign(made, { by: "key" });
    assert.deepEqual(await post(later.receive, byKey), [401, "INVALID_SIGNATURE"]);
  }
  assert.deepEqual(later.awareness.asked, [], "no key is needed where only secrets count");
  assert.deepEqual(await post(later.receive, await sender.sign(makeEvent(), { by: "secret" })), [200, "applied"]);
});

test("without a secret events are accepted by the published key, and by no other [decision E3]", async () => {
  const { sender, awareness, applied, receive, clock } = await setup();
  await using _awareness = awareness;
  const stranger = await createTestSender(clock.nowMs);
  assert.deepEqual(await post(receive, await sender.sign(makeEvent(), { by: "key" })), [200, "applied"]);
  assert.deepEqual(await post(receive, await stranger.sign(makeEvent(), { by: "key" })), [401, "INVALID_SIGNATURE"]);
  const { body, headers, method } = await sender.sign(makeEvent(), { by: "key" });
  const tampered = { method, headers, body: body.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) };
  assert.deepEqual(await post(receive, tampered), [401, "INVALID_SIGNATURE"]);
  assert.equal(applied.length, 1);
});

test("keys are requested once in 300 s, for any number of webhooks [decision E3]", async () => {
  const { sender, awareness, receive, advanceSeconds } = await setup();
  await using _awareness = awareness;
  const deliver = async () => post(receive, await sender.sign(makeEvent(), { by: "key" }));
  const answers = await Promise.all(Array.from({ length: 20 }, deliver));
  assert.ok(answers.every(([status]) => status === 200));
  advanceSeconds(299);
  await deliver();
  assert.equal(awareness.asked.length, 1);
  advanceSeconds(1);
  await deliver();
  assert.equal(awareness.asked.length, 2);
});

test("a new key is fetched at once, and forged signatures cause a request at most every 30 s [decision E3]", async () => {
  const { sender, awareness, receive, advanceSeconds, clock } = await setup();
  await using _awareness = awareness;
  await post(receive, await sender.sign(makeEvent(), { by: "key" }));
  const next = await createTestSender(clock.nowMs);
  const deliver = async () => post(receive, await next.sign(makeEvent(), { by: "key" }));
  advanceSeconds(29);
  assert.deepEqual(await deliver(), [401, "INVALID_SIGNATURE"]);
  assert.equal(awareness.asked.length, 1);
  awareness.document = { keys: [sender.publicJwk, next.publicJwk] };
  advanceSeconds(1);
  const answers = await Promise.all(Array.from({ length: 10 }, deliver));
  assert.ok(
    answers.every(([status]) => status === 200),
    "all that came while the keys were asked for",
  );
  assert.equal(awareness.asked.length, 2);
  const stranger = await createTestSender(clock.nowMs);
  await Promise.all(Array.from({ length: 10 }, async () => post(receive, await stranger.sign(makeEvent()))));
  assert.equal(awareness.asked.length, 2);
});

test("a key that is no longer published is no longer accepted", async () => {
  const { sender, awareness, receive, advanceSeconds, clock } = await setup();
  await using _awareness = awareness;
  assert.deepEqual(await post(receive, await sender.sign(makeEvent(), { by: "key" })), [200, "applied"]);
  awareness.document = { keys: [(await createTestSender(clock.nowMs)).publicJwk] };
  advanceSeconds(300);
  assert.deepEqual(await post(receive, await sender.sign(makeEvent(), { by: "key" })), [401, "INVALID_SIGNATURE"]);
});

test("while the awareness service does not answer, its keys are used for an hour; without keys the answer is 503", async () => {
  const { sender, awareness, errors, receive, advanceSeconds } = await setup();
  await using _awareness = awareness;
  const keys = awareness.document;
  const deliver = async () => post(receive, await sender.sign(makeEvent(), { by: "key" }));
  for (const none of [
    undefined,
    {},
    { keys: [] },
    { keys: [{ kty: "OKP", crv: "Ed25519", x: "AA" }] },
    { keys: [null] },
    { keys: [{ ...sender.publicJwk, key_ops: ["sign"] }] },
    { keys: [{ ...sender.publicJwk, key_ops: [] }] },
  ]) {
    awareness.document = none;
    assert.deepEqual(await deliver(), [503, "KEYS_UNAVAILABLE"], JSON.stringify(none));
    advanceSeconds(1);
  }
  assert.equal(errors.length, 7);
  awareness.document = keys;
  assert.deepEqual(await deliver(), [200, "applied"]);
  awareness.document = undefined;
  advanceSeconds(3599);
  assert.deepEqual(await deliver(), [200, "applied"]);
  advanceSeconds(30);
  assert.deepEqual(await deliver(), [503, "KEYS_UNAVAILABLE"]);
  awareness.document = keys;
  advanceSeconds(1);
  assert.deepEqual(await deliver(), [200, "applied"]);
});
