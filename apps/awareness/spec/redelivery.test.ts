import assert from "node:assert/strict";
import { test } from "node:test";
import { countRedelivery } from "../src/store/redeliver.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { redeliver } from "./support/redeliver.ts";
import { createDrain, createVirtualClock, nextMoment } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const DAY = 86_400_000;

async function receiver(answers: (version: number) => number) {
  const world = await openDeliveryWorld();
  const clock = createVirtualClock(START);
  const sent: string[] = [];
  const wasSent: (() => void)[] = [];
  const deps = world.depsWith({
    clock,
    send: async ({ body, headers }) => {
      const { id, streamVersion } = JSON.parse(body);
      sent.push(`${id}.${streamVersion}${headers["webhook-replay"] === "true" ? " replay" : ""}`);
      for (const done of wasSent.splice(0)) done();
      await new Promise((resolve) => setTimeout(resolve, 5));
      const status = answers(streamVersion);
      return outcomeAt(clock.nowMs(), status);
    },
  });
  const drain = createDrain(deps);
  const run = async () => {
    await drain();
    for (let at = await nextMoment(world.database); at !== undefined; at = await nextMoment(world.database)) {
      clock.set(at);
      await drain();
    }
  };
  const subscriptionId = await world.addSubscription();
  const queue = (recordId: string, streamVersion: number) =>
    world.queue({ subscriptionId, recordId, streamVersion, receivedAtMs: clock.nowMs() });
  const nextRequest = () => new Promise<void>((resolve) => wasSent.push(resolve));
  const disposed = { [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
  return { ...disposed, database: world.database, clock, sent, drain, run, queue, subscriptionId, nextRequest };
}

test("dead letters that are redriven come in the order of their versions, before what is newer [V-EVT-148] [V-EVT-243]", async () => {
  let down = true;
  await using it = await receiver(() => (down ? 500 : 200));
  for (const version of [1, 2, 3]) await it.queue("r", version);
  await it.run();
  down = false;
  it.sent.length = 0;
  await it.queue("r", 4);
  const redelivery = { kind: "dead", eventId: undefined } as const;
  assert.deepEqual(await countRedelivery(it.database, { subscriptionId: it.subscriptionId, redelivery }), {
    deliveries: 3,
    lanes: 1,
  });
  const put = await redeliver(it.database, { subscriptionId: it.subscriptionId, redelivery, nowMs: it.clock.nowMs });
  assert.deepEqual(put, { deliveries: 3, lanes: 1, busyLanes: 0 });
  await it.run();
  assert.deepEqual(it.sent, ["r.1 replay", "r.2 replay", "r.3 replay", "r.4"]);
  assert.deepEqual(await countRedelivery(it.database, { subscriptionId: it.subscriptionId, redelivery }), {
    deliveries: 0,
    lanes: 0,
  });
});

test("one dead letter is redriven alone, and has a day of its own [V-EVT-243]", async () => {
  let down = true;
  await using it = await receiver(() => (down ? 500 : 200));
  const eventId = await it.queue("r", 1);
  await it.queue("r", 2);
  await it.run();
  it.sent.length = 0;
  const at = it.clock.nowMs();
  const redelivery = { kind: "dead", eventId } as const;
  await redeliver(it.database, { subscriptionId: it.subscriptionId, redelivery, nowMs: it.clock.nowMs });
  await it.drain();
  down = false;
  await it.run();
  assert.deepEqual(it.sent, ["r.1 replay", "r.1 replay"]);
  assert.equal(it.clock.nowMs(), at + 5_000);
});

test("a replay since a time sends again what was delivered since, in order, and nothing from before [V-EVT-149] [V-EVT-244]", async () => {
  await using it = await receiver(() => 200);
  await it.queue("r", 1);
  await it.queue("s", 1);
  await it.run();
  it.clock.set(START + DAY);
  await it.queue("r", 2);
  await it.queue("r", 3);
  await it.run();
  it.sent.length = 0;
  const redelivery = { kind: "since", sinceMs: START + DAY } as const;
  assert.deepEqual(await countRedelivery(it.database, { subscriptionId: it.subscriptionId, redelivery }), {
    deliveries: 2,
    lanes: 1,
  });
  await redeliver(it.database, { subscriptionId: it.subscriptionId, redelivery, nowMs: it.clock.nowMs });
  await it.queue("r", 4);
  await it.run();
  assert.deepEqual(it.sent, ["r.2 replay", "r.3 replay", "r.4"]);
});

test("a lane on which an old version was sent again rests at its tail and takes the next version [V-EVT-148]", async () => {
  let down = true;
  await using it = await receiver((version) => (down && version === 1 ? 500 : 200));
  for (const version of [1, 2, 3]) await it.queue("r", version);
  await it.run();
  down = false;
  it.sent.length = 0;
  const redelivery = { kind: "dead", eventId: undefined } as const;
  await redeliver(it.database, { subscriptionId: it.subscriptionId, redelivery, nowMs: it.clock.nowMs });
  await it.run();
  const { rows } = await it.database.query({ text: "select done_version, next_at from lane", values: [] });
  assert.deepEqual(rows, [{ done_version: 3, next_at: null }]);
  await it.queue("r", 4);
  await it.run();
  assert.deepEqual(it.sent, ["r.1 replay", "r.4"]);
});

test("a redrive while the lane is being attempted waits for that, so that nothing is sent beside it or lost [V-EVT-148]", async () => {
  let down = true;
  await using it = await receiver((version) => (down && version === 1 ? 500 : 200));
  await it.queue("r", 1);
  await it.run();
  down = false;
  it.sent.length = 0;
  await it.queue("r", 2);
  const attempted = it.nextRequest();
  const draining = it.drain();
  await attempted;
  const redelivery = { kind: "dead", eventId: undefined } as const;
  const request = { subscriptionId: it.subscriptionId, redelivery, nowMs: it.clock.nowMs };
  assert.deepEqual(await redeliver(it.database, request), { deliveries: 1, lanes: 1, busyLanes: 0 });
  await draining;
  await it.run();
  assert.deepEqual(it.sent, ["r.2", "r.1 replay"]);
});
