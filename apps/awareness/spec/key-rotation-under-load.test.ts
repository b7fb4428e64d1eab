import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";
import { nodeWebhook } from "@dataspace/receiver/node-http";
import { createWebhookReceiver } from "@dataspace/receiver/webhook-receiver";
import type { Clock } from "@dataspace/service-kit/clock";
import { readWebhookSigningKey, type WebhookSigningKey } from "../src/delivery/webhook-signing-key.ts";
import { makeEvent } from "./support/events.ts";
import { startWorker, until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";

const [OLD, NEXT] = ["old", "next"].map((kid) => ({
  ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }),
  kid,
}));
/** The settings of each step of a rotation, as `dataspace keys rotate` makes them. */
const STEPS = [OLD, { keys: [OLD, NEXT] }, { keys: [NEXT, OLD] }, NEXT];
const EVENTS = 10;
/** Longer than a receiver caches keys; the operator waits 10 minutes between two steps. */
const STEP_MS = 600_000;

test("the keys of two services and their workers rotate in turn while webhooks flow: a receiver that trusts published keys refuses none [decision E3]", async (t) => {
  let shiftMs = 0;
  const clock = { nowMs: () => Date.now() + shiftMs };
  const first = await startAwareness(t, { webhookKey: keyOf(OLD), ...clock });
  const { database } = first;
  const start = async (setting: unknown) => {
    const webhookKey = keyOf(setting);
    const service = await startAwareness(t, { webhookKey, database, ...clock });
    return { service, worker: startWorker(database, { webhookKey, clock }) };
  };
  const instances = [await start(OLD), await start(OLD)];
  const receivers = await Promise.all(
    [0, 1].map((index) => startReceiver(t, { clock, awarenessUrl: () => instances[index]?.service.url ?? "" })),
  );
  const person = await first.createPerson();
  for (const { url: targetUrl } of receivers) {
    const { status } = await first.ask("/api/subscriptions", {
      body: { targetUrl },
      credential: await person.token(),
    });
    assert.equal(status, 201);
  }
  let sent = 0;
  const untilAllArrive = () =>
    until(() => receivers.every(({ applied }) => applied() === sent), "the delivery of all events");
  for (const setting of STEPS) {
    for (const index of [0, 1]) {
      const before = instances[index];
      for (let n = 0; n < EVENTS; n += 1) await first.ingest(makeEvent());
      sent += EVENTS;
      instances[index] = await start(setting);
      await before?.worker[Symbol.asyncDispose]();
      for (let n = 0; n < EVENTS; n += 1) await first.ingest(makeEvent());
      sent += EVENTS;
    }
    await untilAllArrive();
    shiftMs += STEP_MS;
  }
  for (const { worker } of instances) await worker[Symbol.asyncDispose]();
  for (const { refusals } of receivers) assert.deepEqual(refusals, []);
});

function keyOf(setting: unknown): WebhookSigningKey {
  const reading = readWebhookSigningKey(JSON.stringify(setting));
  assert.ok("key" in reading);
  return reading.key;
}

/** A receiver that verifies by the keys of a service, which may move. */
async function startReceiver(
  t: TestContext,
  { clock, awarenessUrl }: { readonly clock: Clock; readonly awarenessUrl: () => string },
) {
  const refusals: string[] = [];
  let applied = 0;
  const endpoint = createServer();
  await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
  t.after(() => {
    endpoint.close();
    endpoint.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
  const receive = createWebhookReceiver(
    {
      awarenessUrl: "https://awareness.example",
      targetUrl: url,
      store: createMemoryWebhookStore(),
      onEvent: () => {
        applied += 1;
      },
      onError: (error) => void refusals.push(String(error)),
    },
    {
      fetch: (asked, init) => fetch(awarenessUrl() + new URL(String(asked)).pathname, init),
      clock,
    },
  );
  const judged: typeof receive = async (request) => {
    const answer = await receive(request);
    if (!answer.ok) refusals.push(`${answer.status} ${await answer.clone().text()}`);
    return answer;
  };
  endpoint.on("request", nodeWebhook(judged));
  return { url, refusals, applied: () => applied };
}
