import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { circuitAfterFailure } from "../src/delivery/endpoint-circuit.ts";
import type { WebhookRequest } from "../src/delivery/send-webhook.ts";
import { createCircuitRows } from "../src/store/circuit-rows.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { createDrain, createVirtualClock, nextMoment } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

interface Sent {
  readonly atMs: number;
  readonly recordId: string;
  readonly version: number;
}

/** A receiver, and how many lanes were claimed at a time. */
async function receiver(answers: (nowMs: number, request: WebhookRequest) => number | null) {
  const world = await openDeliveryWorld();
  const clock = createVirtualClock(START);
  const sent: Sent[] = [];
  const deps = world.depsWith({
    clock,
    send: async (request) => {
      const { id: recordId, streamVersion: version } = JSON.parse(request.body);
      sent.push({ atMs: clock.nowMs() - START, recordId, version });
      const status = answers(clock.nowMs() - START, request);
      return outcomeAt(clock.nowMs(), status, status === null ? { error: "timeout" } : {});
    },
  });
  const rounds: number[] = [];
  const drain = createDrain(deps, (lanes) => rounds.push(lanes));
  const run = async (untilMs: number) => {
    await drain();
    for (let at = await nextMoment(world.database); at !== undefined && at <= START + untilMs; ) {
      clock.set(Math.max(at, clock.nowMs()));
      await drain();
      at = await nextMoment(world.database);
    }
  };
  const count = async (where: string): Promise<number> => {
    const text = `select count(*)::int as n from delivery where ${where}`;
    return (await world.database.query<{ readonly n: number }>({ text, values: [] })).rows[0]!.n;
  };
  return { world, clock, sent, rounds, run, count, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function queueMany(
  world: Awaited<ReturnType<typeof openDeliveryWorld>>,
  id: string,
  records: number,
  versions = 1,
) {
  for (let record = 0; record < records; record += 1) {
    for (let streamVersion = 1; streamVersion <= versions; streamVersion += 1) {
      const recordId = `r${String(record).padStart(4, "0")}`;
      await world.queue({ subscriptionId: id, recordId, streamVersion, receivedAtMs: START });
    }
  }
}

test("changes of circuits that come together are each made, in their order, in one transaction [E2]", async () => {
  await using world = await openDeliveryWorld();
  let transactions = 0;
  const circuits = createCircuitRows({
    ...world.database,
    transaction: (work) => {
      transactions += 1;
      return world.database.transaction(work);
    },
  });
  const [one, two] = [await world.addSubscription(), await world.addSubscription()];
  const fail = (subscriptionId: string, lane: string) =>
    circuits.change(subscriptionId, (circuit) => circuitAfterFailure(circuit, { lane, nowMs: START, isProbe: false }));
  const changes = [fail(one, "a"), fail(two, "a"), fail(one, "b"), fail(randomUUID(), "a"), fail(one, "a")];
  const after = await Promise.all(changes);
  assert.deepEqual(
    after.map((circuit) => [circuit?.failures, circuit?.failedLanes]),
    [
      [1, ["a"]],
      [1, ["a"]],
      [2, ["a", "b"]],
      [undefined, undefined],
      [3, ["a", "b"]],
    ],
  );
  assert.equal((await fail(one, "c"))?.failures, 4);
  assert.equal((await fail(two, "c"))?.failures, 2);
  assert.equal(transactions, 3);
});

test("after ten failures in a row the endpoint is only probed, at least as far apart as the back-off up to five minutes [E2]", async () => {
  await using it = await receiver(() => null);
  const id = await it.world.addSubscription();
  await queueMany(it.world, id, 40);
  await it.run(60 * MINUTE);
  // Eight at once, and eight more that were claimed with the ninth and tenth failure.
  const atOnce = it.sent.filter(({ atMs }) => atMs === 0).length;
  assert.equal(atOnce, 16);
  const probes = it.sent.slice(atOnce).map(({ atMs }) => atMs);
  const gaps = probes.map((at, index) => (at - (probes[index - 1] ?? 0)) / 1000);
  assert.deepEqual(gaps.slice(0, 7), [5, 15, 45, 120, 300, 300, 300]);
  assert.ok(gaps.slice(4).every((gap) => gap >= 300));
});

test("failures on fewer than three lanes do not open the circuit [E2]", async () => {
  await using it = await receiver(() => 500);
  const id = await it.world.addSubscription();
  await queueMany(it.world, id, 2);
  await it.run(DAY);
  assert.equal(it.sent.length, 32);
});

test("answers that refuse, such as 404, say nothing against the endpoint: each lane keeps its own times [E2]", async () => {
  await using it = await receiver(() => 404);
  const id = await it.world.addSubscription();
  await queueMany(it.world, id, 5);
  await it.run(DAY);
  assert.equal(it.sent.length, 5 * 16);
  assert.equal(await it.count("state = 'dead' and reason = 'status_404'"), 5);
});

test("an endpoint that comes back gets one delivery at a time, then two, then four, and soon all [E2]", async () => {
  await using it = await receiver((nowMs) => (nowMs < 10 * MINUTE ? 503 : 200));
  const id = await it.world.addSubscription();
  await queueMany(it.world, id, 60);
  await it.run(9 * MINUTE);
  const before = it.sent.length;
  it.rounds.length = 0;
  await it.run(DAY);
  assert.equal(await it.count("state = 'delivered'"), 60);
  const ramp = it.rounds.slice(it.rounds.length - 7);
  assert.deepEqual(ramp, [1, 1, 2, 4, 8, 16, 28]);
  const after = it.sent.slice(before).filter(({ atMs }) => atMs >= 10 * MINUTE);
  assert.equal(after.length, 60);
});

test("a circuit that was open for 24 h with 50 failed probes gives up what is overdue, unsent, and the lanes go on [V-EVT-146] [V-EVT-150]", async () => {
  await using it = await receiver((nowMs) => (nowMs < 2 * DAY ? null : 200));
  const id = await it.world.addSubscription();
  await queueMany(it.world, id, 100, 2);
  await it.run(DAY - MINUTE);
  assert.equal(await it.count("state = 'dead'"), 0);
  assert.ok(it.sent.length < 350, `${it.sent.length} requests in a day`);
  await it.run(DAY + 10 * MINUTE);
  const unsent = await it.count("state = 'dead' and reason = 'endpoint_unavailable'");
  const failed = await it.count("state = 'dead' and reason = 'timeout'");
  assert.equal(unsent + failed, 200);
  assert.ok(unsent >= 190, `${unsent} given up unsent`);
  for (const recordId of ["r0000", "r0099"]) {
    await it.world.queue({ subscriptionId: id, recordId, streamVersion: 3, receivedAtMs: it.clock.nowMs() });
  }
  await it.run(4 * DAY);
  assert.equal(await it.count("state = 'delivered' and stream_version = 3"), 2);
});

test("while a circuit is open the last attempts of other lanes wait for it to close [V-EVT-150]", async () => {
  await using it = await receiver((nowMs) => (nowMs < DAY + 60 * MINUTE ? null : 200));
  const id = await it.world.addSubscription();
  await queueMany(it.world, id, 100);
  // The circuit opens late, so that it has not been open for a day when the deadlines pass.
  await it.world.database.query({
    text: "update subscription set opened_at = $1, probe_at = $1, failures = 10",
    values: [new Date(START + 120 * MINUTE)],
  });
  it.clock.set(START + 120 * MINUTE);
  await it.run(2 * DAY);
  const delivered = await it.count("state = 'delivered'");
  const dead = await it.count("state = 'dead'");
  assert.equal(delivered + dead, 100);
  assert.equal(await it.count("reason = 'endpoint_unavailable'"), 0);
  // Only probes failed at or after their deadline: one every five minutes for an hour.
  assert.ok(dead <= 13, `${dead} dead`);
});
