import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookRequest } from "../src/delivery/send-webhook.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { createDrain, createVirtualClock, nextMoment } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const TABLE = [5, 15, 45, 120, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 14_400, 14_400, 14_400];

const NOBODY = JSON.stringify({ acl: [], _acl: null, owner: null });

interface Sent {
  readonly atMs: number;
  readonly version: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A receiver, the clock it lives by, and what it was sent; the clock runs until nothing is due. */
async function receiver(answers: (nowMs: number, request: WebhookRequest) => number | null) {
  const world = await openDeliveryWorld();
  const clock = createVirtualClock(START);
  const sent: Sent[] = [];
  const drain = createDrain(
    world.depsWith({
      clock,
      send: async (request) => {
        const { streamVersion: version } = JSON.parse(request.body);
        sent.push({ atMs: clock.nowMs() - START, version, headers: request.headers });
        return outcomeAt(clock.nowMs(), answers(clock.nowMs() - START, request));
      },
    }),
  );
  const run = async (untilMs = Number.POSITIVE_INFINITY) => {
    await drain();
    for (let at = await nextMoment(world.database); at !== undefined && at <= START + untilMs; ) {
      clock.set(at);
      await drain();
      at = await nextMoment(world.database);
    }
  };
  const states = async () => {
    const text = "select stream_version as version, state, reason from delivery order by 1";
    return (await world.database.query<object>({ text, values: [] })).rows.map((row) => Object.values(row).join(" "));
  };
  return { world, clock, sent, run, states, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test("an endpoint that is down for 23 h 59 min gets the event at its last attempt, exactly 24 h after receipt [V-DLV-003] [V-EVT-140] [V-EVT-141] [V-EVT-142] [V-EVT-143]", async () => {
  await using it = await receiver((nowMs) => (nowMs < DAY - MINUTE ? 503 : 200));
  const subscriptionId = await it.world.addSubscription();
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await it.run();
  const gaps = it.sent.slice(1).map(({ atMs }, index) => (atMs - it.sent[index]!.atMs) / 1000);
  assert.deepEqual(gaps.slice(0, 14), TABLE);
  assert.equal(it.sent.length, 16);
  assert.equal(it.sent.at(-1)!.atMs, DAY);
  assert.deepEqual(await it.states(), ["1 delivered "]);
});

test("an endpoint that is down for 24 h 1 min leaves a dead letter, and the lane goes on [V-DLV-004] [V-EVT-144] [V-EVT-147]", async () => {
  await using it = await receiver((nowMs) => (nowMs < DAY + MINUTE ? null : 200));
  const subscriptionId = await it.world.addSubscription();
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 2, receivedAtMs: START + MINUTE });
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 3, receivedAtMs: START + 2 * MINUTE });
  await it.run();
  assert.deepEqual(await it.states(), ["1 dead unreachable", "2 delivered ", "3 delivered "]);
  assert.equal(it.sent.filter(({ version }) => version === 1).at(-1)!.atMs, DAY);
  // The second one's turn came at the first one's end, a minute before its own: two attempts, the last at its own deadline.
  const second = it.sent.filter(({ version }) => version === 2).map(({ atMs }) => atMs - DAY);
  assert.deepEqual(second, [0, 5_000, 20_000, MINUTE]);
});

test("events whose turn comes after their deadline get one attempt each [V-EVT-145]", async () => {
  await using it = await receiver(() => 500);
  const subscriptionId = await it.world.addSubscription();
  for (const streamVersion of [1, 2, 3]) {
    await it.world.queue({ subscriptionId, recordId: "r", streamVersion, receivedAtMs: START });
  }
  await it.run();
  assert.deepEqual(await it.states(), ["1 dead status_500", "2 dead status_500", "3 dead status_500"]);
  for (const version of [2, 3]) assert.equal(it.sent.filter((sent) => sent.version === version).length, 1);
});

test("a clock that jumps a day ahead discards no event that was not tried [V-EVT-145]", async () => {
  await using it = await receiver(() => 200);
  const subscriptionId = await it.world.addSubscription();
  for (const streamVersion of [1, 2]) {
    await it.world.queue({ subscriptionId, recordId: "r", streamVersion, receivedAtMs: START });
  }
  it.clock.set(START + 2 * DAY);
  await it.run();
  assert.deepEqual(await it.states(), ["1 delivered ", "2 delivered "]);
});

test("what may not be heard any more is skipped at its next attempt, and the lane goes on [V-EVT-181]", async () => {
  await using it = await receiver(() => 500);
  const subscriptionId = await it.world.addSubscription();
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await it.run(MINUTE);
  assert.equal(it.sent.length, 3);
  await it.world.database.query({ text: "update stream_head set policy = $1", values: [NOBODY] });
  await it.run();
  assert.equal(it.sent.length, 3);
  assert.deepEqual(await it.states(), ["1 skipped access"]);
});

test("nothing is sent to an inactive subscription, while deadlines run [V-EVT-288]", async () => {
  await using it = await receiver(() => 500);
  const subscriptionId = await it.world.addSubscription();
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await it.world.database.query({ text: "update subscription set active = false", values: [] });
  it.clock.set(START + DAY + MINUTE);
  await it.run();
  assert.equal(it.sent.length, 0);
  await it.world.database.query({ text: "update subscription set active = true", values: [] });
  await it.run();
  assert.equal(it.sent.length, 1);
  assert.deepEqual(await it.states(), ["1 dead status_500"]);
});

test("410 deactivates the subscription, and what is queued waits [E2]", async () => {
  let status = 410;
  await using it = await receiver(() => status);
  const subscriptionId = await it.world.addSubscription();
  await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await it.run();
  assert.equal(it.sent.length, 1);
  assert.deepEqual(await it.states(), ["1 pending "]);
  status = 200;
  await it.world.database.query({ text: "update subscription set active = true", values: [] });
  await it.run();
  assert.deepEqual(await it.states(), ["1 delivered "]);
});

test("every attempt is in the log, with its number, answer and time [V-EVT-241]", async () => {
  await using it = await receiver((nowMs) => (nowMs < 10_000 ? null : 204));
  const subscriptionId = await it.world.addSubscription();
  const eventId = await it.world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await it.run();
  const { rows } = await it.world.database.query({
    text: `select id, subscription_id, event_id, number, started_at, status, error from attempt order by id`,
    values: [],
  });
  const common = { subscription_id: subscriptionId, event_id: eventId };
  const ids = it.sent.map(({ headers }) => headers["webhook-delivery-id"]);
  assert.deepEqual(rows, [
    { id: ids[0], ...common, number: 1, started_at: new Date(START), status: null, error: "unreachable" },
    { id: ids[1], ...common, number: 2, started_at: new Date(START + 5_000), status: null, error: "unreachable" },
    { id: ids[2], ...common, number: 3, started_at: new Date(START + 20_000), status: 204, error: null },
  ]);
  assert.deepEqual(
    it.sent.map(({ headers }) => headers["webhook-attempt"]),
    ["1", "2", "3"],
  );
});
