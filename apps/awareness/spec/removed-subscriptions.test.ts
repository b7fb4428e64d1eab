import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { skipRemoved } from "../src/store/skip-removed.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { makeEvent } from "./support/events.ts";
import { until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";
import { createDrain, createVirtualClock } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;

/** A subscription with lanes of as many versions as `versions` says of each record. */
async function queued(versions: Readonly<Record<string, number>>) {
  const world = await openDeliveryWorld();
  const subscriptionId = await world.addSubscription();
  for (const [recordId, count] of Object.entries(versions)) {
    for (let streamVersion = 1; streamVersion <= count; streamVersion += 1) {
      await world.queue({ subscriptionId, recordId, streamVersion, receivedAtMs: START });
    }
  }
  const remove = () =>
    world.database.query({ text: "update subscription set removed = true where id = $1", values: [subscriptionId] });
  const { database } = world;
  return { world, database, subscriptionId, remove, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function outcomes(database: Queryable, subscriptionId: string): Promise<Readonly<Record<string, number>>> {
  const { rows } = await database.query<{ state: string; count: number }>({
    text: `select concat_ws(' ', state, reason) as state, count(*)::int as count from delivery
            where subscription_id = $1 group by 1 order by 1`,
    values: [subscriptionId],
  });
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function dueLanes(database: Queryable, subscriptionId: string): Promise<number> {
  const text = "select from lane where subscription_id = $1 and (next_at is not null or done_version < tail_version)";
  return (await database.query({ text, values: [subscriptionId] })).rowCount;
}

async function skipAll(database: Parameters<typeof skipRemoved>[0], nowMs: number): Promise<readonly number[]> {
  const parts = [await skipRemoved(database, nowMs)];
  while (parts.at(-1) !== 0) parts.push(await skipRemoved(database, nowMs));
  return parts;
}

test("what waits for a removed subscription is skipped part by part, and its lanes rest; another's wait on [V-EVT-286]", async () => {
  await using it = await queued({ long: 130, short: 1 });
  const other = await it.world.addSubscription();
  await it.world.queue({ subscriptionId: other, recordId: "short", streamVersion: 1, receivedAtMs: START });
  assert.deepEqual(await skipAll(it.database, START), [0], "as long as it is not removed");
  await it.remove();
  assert.deepEqual(await skipAll(it.database, START), [2, 1, 1, 0]);
  assert.deepEqual(await outcomes(it.database, it.subscriptionId), { "skipped removed": 131 });
  assert.equal(await dueLanes(it.database, it.subscriptionId), 0);
  assert.deepEqual(await outcomes(it.database, other), { pending: 1 });
  assert.equal(await dueLanes(it.database, other), 1);
});

test("an attempt that is under way when its subscription is removed ends as it ends; what follows it is skipped [V-EVT-286]", async () => {
  await using it = await queued({ record: 2 });
  const clock = createVirtualClock(START);
  const [sent, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const send = async () => {
    sent.resolve();
    await answer.promise;
    return outcomeAt(START, 200);
  };
  const drained = createDrain(it.world.depsWith({ clock, send }))();
  await sent.promise;
  await it.remove();
  assert.equal(await skipRemoved(it.database, START), 0, "it is held");
  answer.resolve();
  await drained;
  assert.deepEqual(await outcomes(it.database, it.subscriptionId), { delivered: 1, pending: 1 });
  await skipAll(it.database, START);
  assert.deepEqual(await outcomes(it.database, it.subscriptionId), { delivered: 1, "skipped removed": 1 });
  assert.equal(await dueLanes(it.database, it.subscriptionId), 0);
});

test("sweepers beside each other and beside ingest neither fail nor leave anything behind [V-EVT-286]", async () => {
  await using it = await queued(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`record-${index}`, 2])));
  await it.remove();
  const queueMore = async (streamVersion: number) => {
    for (let index = 0; index < 30; index += 1) {
      const event = { subscriptionId: it.subscriptionId, recordId: `record-${index}`, streamVersion };
      await it.world.queue({ ...event, receivedAtMs: START });
    }
  };
  const sweep = () => skipAll(it.database, START);
  await Promise.all([sweep(), queueMore(3), sweep(), sweep()]);
  await sweep();
  assert.deepEqual(await outcomes(it.database, it.subscriptionId), { "skipped removed": 90 });
  assert.equal(await dueLanes(it.database, it.subscriptionId), 0);
});

test("a service skips what removed subscriptions left waiting, once it listens [V-EVT-286]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const { body } = await awareness.ask("/api/subscriptions", { body: { targetUrl: awareness.endpoint.url } });
  await awareness.ingest([makeEvent(), makeEvent()]);
  assert.equal((await awareness.ask(`/api/subscriptions/${body.id}`, { method: "DELETE" })).status, 204);
  assert.deepEqual(await outcomes(awareness.database, body.id), { pending: 2 });
  await startAwareness(t, { devConsumer: true, database: awareness.database });
  await until(
    async () => (await outcomes(awareness.database, body.id))["skipped removed"] === 2,
    "the skipping of both",
  );
});
