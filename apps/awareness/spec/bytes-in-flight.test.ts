import assert from "node:assert/strict";
import { test } from "node:test";
import { createDeliveryWork } from "../src/delivery/delivery-worker.ts";
import type { WebhookRequest } from "../src/delivery/send-webhook.ts";
import { type DeliveryWorld, openDeliveryWorld } from "./support/delivery-world.ts";
import { until } from "./support/real-delivery.ts";
import { createVirtualClock } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const MEBIBYTE = 1_048_576;

interface Sent {
  readonly request: WebhookRequest;
  readonly answer: () => void;
}

async function queueFor(world: DeliveryWorld, records: number): Promise<string> {
  const consumerId = await world.addConsumer();
  for (let place = 0; place < records; place += 8) {
    const subscriptionId = await world.addSubscription("https://receiver.example/", consumerId);
    for (let record = place; record < Math.min(place + 8, records); record += 1) {
      const recordId = `${subscriptionId}-${record}`;
      await world.queue({ subscriptionId, recordId, streamVersion: 1, receivedAtMs: START });
    }
  }
  return consumerId;
}

async function makeLarge(world: DeliveryWorld): Promise<void> {
  await world.database.query({ text: "update event set body = repeat('x', $1)", values: [MEBIBYTE] });
}

/** A worker whose requests are answered by hand; `read`: the bytes of the bodies that the database gave it. */
function workWith(world: DeliveryWorld) {
  const inFlight = new Set<Sent>();
  const counts = { readBytes: 0 };
  const database = {
    ...world.database,
    query: async <Row>(statement: Parameters<typeof world.database.query>[0]) => {
      const answer = await world.database.query<Row>(statement);
      for (const row of answer.rows as readonly { readonly body?: string | null }[]) {
        counts.readBytes += row.body?.length ?? 0;
      }
      return answer;
    },
  };
  const send = (request: WebhookRequest) =>
    new Promise<ReturnType<typeof outcomeAt>>((resolve) => {
      const sent: Sent = {
        request,
        answer: () => {
          inFlight.delete(sent);
          resolve(outcomeAt(START, 200));
        },
      };
      inFlight.add(sent);
    });
  const { claim, work } = createDeliveryWork(world.depsWith({ clock: createVirtualClock(START), send, database }));
  const start = async (limit = 256) => {
    const lanes = await claim(limit);
    return { lanes, done: Promise.all(lanes.map((lane) => work({ lanes: [lane], holdsFor: () => true }))) };
  };
  return { inFlight, counts, start };
}

async function statesOf(world: DeliveryWorld): Promise<unknown> {
  const { rows } = await world.database.query({
    text: `select (select count(*)::int from delivery where state = 'delivered') as delivered,
                  (select count(*)::int from attempt) as attempts,
                  (select count(*)::int from lane where lease is null and attempts = 0 and next_at is not null) as waiting`,
    values: [],
  });
  return rows[0];
}

async function waiting(world: DeliveryWorld): Promise<number> {
  return ((await statesOf(world)) as { readonly waiting: number }).waiting;
}

test("the bodies in flight take at most 64 MiB, a quarter of it for one consumer, and are not read before that is free [decision V25]", async () => {
  await using world = await openDeliveryWorld();
  const consumers = [];
  for (let one = 0; one < 5; one += 1) consumers.push(await queueFor(world, 20));
  await makeLarge(world);
  const { inFlight, counts, start } = workWith(world);
  const { lanes, done } = await start();
  assert.equal(lanes.length, 100);
  await until(async () => (await waiting(world)) === 100 - inFlight.size, "the release");
  const bytesOf = (requests: Iterable<Sent>) =>
    [...requests].reduce((sum, { request }) => sum + request.body.length, 0);
  assert.ok(bytesOf(inFlight) > 32 * MEBIBYTE && bytesOf(inFlight) <= 64 * MEBIBYTE, `${bytesOf(inFlight)}`);
  assert.equal(counts.readBytes, bytesOf(inFlight), "only what is in flight was read");
  for (const id of consumers) {
    const own = [...inFlight].filter(({ request }) => request.requester === id);
    assert.ok(bytesOf(own) <= 16 * MEBIBYTE, `${bytesOf(own)}`);
  }
  const sentFirst = inFlight.size;
  assert.deepEqual(await statesOf(world), { delivered: 0, attempts: 0, waiting: 100 - sentFirst });
  for (const sent of inFlight) sent.answer();
  await done;
  const rest = await start();
  await until(() => inFlight.size === 100 - sentFirst, "the rest");
  for (const sent of inFlight) sent.answer();
  await rest.done;
  assert.deepEqual(await statesOf(world), { delivered: 100, attempts: 100, waiting: 0 });
});

test("a consumer whose large bodies take its share delays no small body and no other consumer [decision V25]", async () => {
  await using world = await openDeliveryWorld();
  const large = await queueFor(world, 40);
  await makeLarge(world);
  const { inFlight, start } = workWith(world);
  const first = await start();
  await until(async () => (await waiting(world)) === 40 - inFlight.size, "the release");
  const held = inFlight.size;
  assert.ok(held >= 12 && held <= 16, String(held));
  const other = await queueFor(world, 4);
  const second = await start();
  await until(() => inFlight.size === held + 4, "those of the other consumer");
  const requesters = [...inFlight].map(({ request }) => request.requester);
  assert.deepEqual(requesters.slice(held), [other, other, other, other]);
  assert.ok(requesters.slice(0, held).every((id) => id === large));
  await until(async () => (await waiting(world)) === 40 - held, "the second release");
  for (const sent of inFlight) sent.answer();
  await Promise.all([first.done, second.done]);
});
