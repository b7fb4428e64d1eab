import assert from "node:assert/strict";
import { test } from "node:test";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { createLog } from "@dataspace/service-kit/log";
import { listenWithAdmin } from "@dataspace/service-kit/monitoring/listen-with-admin";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { addReadinessCheck } from "@dataspace/service-kit/monitoring/readiness";
import { type Database, openDatabase } from "@dataspace/service-kit/postgres/database";
import { startStallingProxy } from "@dataspace/service-kit/testing/stalling-proxy";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { startReceiver, startWorker, until } from "./support/real-delivery.ts";

const LIMITS = { maxConnections: 4, statementTimeoutMs: 500, connectTimeoutMs: 500, applicationName: "half-open" };

test("webhooks go on after a firewall dropped every connection of the worker to its database [E1]", async () => {
  await using world = await openDeliveryWorld();
  await using receiver = await startReceiver((response) => void response.writeHead(204).end());
  await using proxy = await startStallingProxy(world.database.url);
  await using database = openDatabase({ url: proxy.url, ...LIMITS }, () => undefined);
  const subscriptionId = await world.addSubscription(receiver.url);
  const queue = (streamVersion: number) =>
    world.queue({ subscriptionId, recordId: "r", streamVersion, receivedAtMs: Date.now() });
  await using worker = startWorker(database);
  await queue(1);
  const text = "select 1 from delivery where state = 'delivered'";
  const countSettled = async () => (await world.database.query({ text, values: [] })).rowCount;
  await until(async () => (await countSettled()) === 1, "the first webhook");
  proxy.stall();
  await queue(2);
  worker.wake();
  await until(async () => (await countSettled()) === 2, "the second webhook");
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).streamVersion),
    [1, 2],
  );
});

test("a delivery whose question to the database never ends makes /readyz 503 with the reason, is started again and delivers [E1] [P6]", async (t) => {
  await using world = await openDeliveryWorld();
  await using receiver = await startReceiver((response) => void response.writeHead(204).end());
  let hangs = true;
  const hanging: Database = {
    ...world.database,
    query: (statement) => (hangs ? new Promise(() => undefined) : world.database.query(statement)),
  };
  t.mock.timers.enable({ apis: ["setInterval"] });
  const worker = startWorker(hanging);
  await using opened = new AsyncDisposableStack();
  opened.use(worker);
  const log = createLog({ service: "test", level: "silent", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const service = createHttpServer({ log, bodyLimitBytes: 1_024, cors: { origins: "any" }, allowedHeaders: [] });
  addReadinessCheck(service, worker.findFault);
  const place = { host: "127.0.0.1", port: 0, portSetting: "DS_AWARENESS_PORT" };
  const { adminUrl } = await listenWithAdmin(
    opened,
    { name: "awareness", service, metrics, log, database: world.database },
    place,
  );
  const ready = async () => {
    const response = await fetch(`${adminUrl}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  const subscriptionId = await world.addSubscription(receiver.url);
  await world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: Date.now() });
  assert.equal((await ready()).status, 200);
  hangs = false;
  for (let second = 0; second < 30; second += 1) t.mock.timers.tick(1_000);
  const { status, text } = await ready();
  assert.equal(status, 503);
  assert.match(text, /The delivery of webhooks has not looked for work for 30 s/);
  await until(() => receiver.received.length === 1, "the webhook");
  t.mock.timers.tick(1_000);
  assert.equal((await ready()).status, 200);
});
