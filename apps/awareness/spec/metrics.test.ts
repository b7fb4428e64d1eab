import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { countSettling } from "../src/delivery/delivery-metrics.ts";
import { createDeliverySettling } from "../src/store/settle-deliveries.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { makeEvent } from "./support/events.ts";
import { startReceiver, startWorker, until } from "./support/real-delivery.ts";
import { type Choices, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

/** What a series stands at, as whoever scrapes the service sees it. */
async function figure({ adminUrl }: TestAwareness, series: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  assert.ok(line !== undefined, `there is no ${series} in\n${text}`);
  return Number(line.slice(series.length + 1));
}

const results = (awareness: TestAwareness) =>
  Promise.all(
    ["delivered", "retried", "dead", "skipped"].map((result) =>
      figure(awareness, `deliveries_total{result="${result}"}`),
    ),
  );

/** A service with a subscription to a receiver that answers `status`; `deliver` starts its worker. */
async function setup(t: TestContext, choices: Choices = {}) {
  const awareness = await startAwareness(t, { devConsumer: true, ...choices });
  const answers = { status: 204 };
  const receiver = await startReceiver((response) => response.writeHead(answers.status).end());
  t.after(() => receiver[Symbol.asyncDispose]());
  const { body } = await awareness.ask("/api/subscriptions", { body: { targetUrl: receiver.url } });
  const deliver = () => startWorker(awareness.database, awareness);
  return { awareness, answers, subscriptionId: body.id as string, deliver };
}

test("waiting deliveries, their age and the results of deliveries are reported while they are sent [decision E1]", async (t) => {
  let laterMs = 0;
  const { awareness, deliver } = await setup(t, { nowMs: () => Date.now() + laterMs });
  assert.deepEqual(
    [await figure(awareness, "lanes_waiting"), await figure(awareness, "deliveries_oldest_seconds")],
    [0, 0],
  );
  await awareness.ingest([makeEvent({ id: "r1" }), makeEvent({ id: "r1", streamVersion: 2 }), makeEvent({ id: "r2" })]);
  laterMs = 90_000;
  await awareness.ingest(makeEvent({ id: "r3" }));
  assert.equal(await figure(awareness, "lanes_waiting"), 3);
  const oldest = await figure(awareness, "deliveries_oldest_seconds");
  assert.ok(oldest >= 90 && oldest < 300, `${oldest} s`);
  await using worker = deliver();
  worker.wake();
  // r3 came from the future of the worker, whose clock nobody sets.
  await until(async () => (await figure(awareness, 'deliveries_total{result="delivered"}')) === 3, "their delivery");
  assert.deepEqual(await results(awareness), [3, 0, 0, 0]);
  assert.equal(await figure(awareness, "lanes_waiting"), 1);
  assert.ok((await figure(awareness, "deliveries_oldest_seconds")) < 90);
});

test("attempts that fail, deliveries that die and deliveries that may not be heard are counted, and dead letters are the depth [decision E1]", async (t) => {
  const { awareness, answers, deliver } = await setup(t);
  const { database } = awareness;
  answers.status = 404;
  await awareness.ingest(makeEvent({ id: "late" }));
  await database.query({ text: "update delivery set deadline = now() - interval '1 minute'", values: [] });
  await awareness.ingest(makeEvent({ id: "again" }));
  await awareness.ingest(makeEvent({ id: "closed", policy: { acl: null, _acl: { v: 1, grants: [] }, owner: null } }));
  await using worker = deliver();
  worker.wake();
  await until(async () => (await results(awareness)).reduce((sum, one) => sum + one) >= 3, "an end of each");
  assert.deepEqual(await results(awareness), [0, 1, 1, 1]);
  assert.equal(await figure(awareness, "dlq_depth"), 1);
});

test("what waits for an inactive subscription and dead letters of a removed one are nobody's alarm [decision E9]", async (t) => {
  const { awareness, subscriptionId } = await setup(t);
  await awareness.ingest([makeEvent(), makeEvent()]);
  assert.equal(await figure(awareness, "lanes_waiting"), 2);
  await awareness.ask(`/api/subscriptions/${subscriptionId}`, { method: "PATCH", body: { active: false } });
  assert.equal(await figure(awareness, "lanes_waiting"), 0);
  assert.equal(await figure(awareness, "deliveries_oldest_seconds"), 0);
  await awareness.database.query({ text: "update delivery set state = 'dead', settled_at = now()", values: [] });
  assert.equal(await figure(awareness, "dlq_depth"), 2);
  await awareness.database.query({ text: "update subscription set removed = true", values: [] });
  assert.equal(await figure(awareness, "dlq_depth"), 0);
});

test("a lane that has something to deliver and is never due counts as a broken invariant [decision E1]", async (t) => {
  const { awareness } = await setup(t);
  await awareness.ingest(makeEvent());
  assert.equal(await figure(awareness, "invariant_failures_total"), 0);
  await awareness.database.query({ text: "update lane set next_at = null", values: [] });
  assert.equal(await figure(awareness, "invariant_failures_total"), 1);
});

test("events from a vault are counted by route, and neither /metrics nor /readyz is at the public port [V-DEC-019]", async (t) => {
  const { awareness } = await setup(t);
  await awareness.ingest(makeEvent());
  assert.equal(await figure(awareness, 'http_requests_total{route="POST /ingest",code="200"}'), 1);
  for (const path of ["/metrics", "/readyz"]) assert.equal((await fetch(awareness.url + path)).status, 404);
  assert.equal((await fetch(`${awareness.adminUrl}/readyz`)).status, 200);
});

test("what is given up in bulk counts one by one [decision E2]", async () => {
  await using world = await openDeliveryWorld();
  const subscriptionId = await world.addSubscription();
  const receivedAtMs = Date.now() - 25 * 3_600_000;
  for (const [recordId, streamVersion] of [
    ["one", 1],
    ["one", 2],
    ["two", 1],
  ] as const)
    await world.queue({ subscriptionId, recordId, streamVersion, receivedAtMs });
  const log = createLog({ service: "awareness", level: "silent", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => 0 });
  const settling = countSettling(createDeliverySettling({ database: world.database, clock: systemClock }), metrics);
  assert.equal(await settling.giveUp(subscriptionId), 3);
  assert.match(await metrics.write(), /^deliveries_total\{result="dead"\} 3$/m);
});
