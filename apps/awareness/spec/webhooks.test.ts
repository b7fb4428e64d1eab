import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { openDeliveryWorld, SECRET } from "./support/delivery-world.ts";
import { type Received, startReceiver, startWorker, until } from "./support/real-delivery.ts";
import { WEBHOOK_KEY } from "./support/start-awareness.ts";

const WORKER = fileURLToPath(new URL("./support/worker-child.ts", import.meta.url));

type World = Awaited<ReturnType<typeof openDeliveryWorld>>;

interface LoggedAttempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly answer: string | null;
}

async function attemptsOf(world: World, subscriptionId: string): Promise<readonly LoggedAttempt[]> {
  const text = "select status, error, duration_ms, answer from attempt where subscription_id = $1 order by id";
  return (await world.database.query<LoggedAttempt>({ text, values: [subscriptionId] })).rows;
}

async function statesOf(world: World): Promise<Readonly<Record<string, number>>> {
  const text = "select state, count(*)::int as n from delivery group by state";
  const { rows } = await world.database.query<{ readonly state: string; readonly n: number }>({ text, values: [] });
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

function queueOne(world: World, subscriptionId: string, recordId = "r", streamVersion = 1): Promise<string> {
  return world.queue({ subscriptionId, recordId, streamVersion, receivedAtMs: Date.now() });
}

async function verify({ headers, body }: Received, trust: "secret" | "key"): Promise<string> {
  const { kty, crv, x } = WEBHOOK_KEY.published;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"]);
  const signed = {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  };
  const trusted = trust === "secret" ? { secrets: [SECRET], publicKeys: [] } : { secrets: [], publicKeys: [key] };
  return verifyWebhook({ headers: signed, body, nowSeconds: Date.now() / 1000, ...trusted });
}

test("each attempt sends the same bytes, with new signatures by secret and by key, under the same eventId [V-EVT-161] [V-EVT-164] [V-EVT-165] [V-EVT-166] [V-DLV-005] [V-DLV-006]", async () => {
  await using world = await openDeliveryWorld();
  await using receiver = await startReceiver((response) => {
    response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
  });
  const subscriptionId = await world.addSubscription(receiver.url);
  const eventId = await queueOne(world, subscriptionId);
  await using _worker = startWorker(world.database);
  await until(() => receiver.received.length === 2, "a second attempt");
  const [first, second] = receiver.received as [Received, Received];
  assert.equal(first.body, second.body);
  assert.equal(JSON.parse(first.body).eventId, eventId);
  assert.deepEqual(
    [first, second].map(({ headers }) => headers["webhook-id"]),
    [eventId, eventId],
  );
  assert.deepEqual(
    [first, second].map(({ headers }) => headers["webhook-attempt"]),
    ["1", "2"],
  );
  assert.notEqual(first.headers["webhook-timestamp"], second.headers["webhook-timestamp"]);
  assert.notEqual(first.headers["webhook-signature"], second.headers["webhook-signature"]);
  assert.notEqual(first.headers["webhook-delivery-id"], second.headers["webhook-delivery-id"]);
  assert.equal(first.headers["webhook-subscription-id"], subscriptionId);
  assert.equal(first.headers["webhook-replay"], undefined);
  assert.equal(first.headers["content-type"], "application/json");
  for (const request of [first, second]) {
    assert.equal(await verify(request, "secret"), "v1");
    assert.equal(await verify(request, "key"), "v1a");
  }
  const gapMs = second.atMs - first.atMs;
  assert.ok(gapMs >= 3_900 && gapMs < 8_000, `${gapMs} ms`);
});

test("an endpoint that hangs, dribbles or says nothing is given up after 5 seconds and holds up no other [V-DLV-001] [V-LIM-004] [V-DLV-008]", async () => {
  await using world = await openDeliveryWorld();
  await using hanging = await startReceiver(() => undefined);
  await using dribbling = await startReceiver((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 100);
    response.on("close", () => clearInterval(timer));
  });
  await using prompt = await startReceiver((response) => response.end("ok"));
  const [hung, dribbled, answered] = [
    await world.addSubscription(hanging.url),
    await world.addSubscription(dribbling.url),
    await world.addSubscription(prompt.url),
  ];
  for (let record = 0; record < 100; record += 1) await queueOne(world, hung, `r${record}`);
  await queueOne(world, dribbled, "r0");
  for (let record = 0; record < 100; record += 1) await queueOne(world, answered, `r${record}`);
  const start = Date.now();
  await using _worker = startWorker(world.database);
  await until(() => prompt.received.length === 100, "all deliveries to the prompt one");
  const promptMs = Date.now() - start;
  assert.ok(promptMs < 4_500, `the prompt one waited ${promptMs} ms`);
  assert.ok(hanging.received.length <= 8, `${hanging.received.length} requests hang at once`);
  await until(async () => (await attemptsOf(world, hung)).length >= 8, "the end of the hanging ones");
  const { error, status, duration_ms } = (await attemptsOf(world, hung))[0]!;
  assert.deepEqual([error, status], ["timeout", null]);
  assert.ok(duration_ms >= 4_900 && duration_ms < 7_000, `${duration_ms} ms`);
  // Its status accepted the event; the rest of the answer is cut off, and its beginning is logged.
  await until(async () => (await attemptsOf(world, dribbled)).length === 1, "the end of the dribbling one");
  const cut = (await attemptsOf(world, dribbled))[0]!;
  assert.equal(cut.status, 200);
  assert.match(cut.answer ?? "", /^x+$/);
  assert.ok(cut.duration_ms >= 4_900 && cut.duration_ms < 7_000, `${cut.duration_ms} ms`);
});

test("redirects are failures, long answers are cut to 1 KiB, closed connections and refused targets have their codes [V-EVT-220] [V-EVT-221] [V-EVT-225] [decision V21]", async () => {
  await using world = await openDeliveryWorld();
  await using receiver = await startReceiver((response, { path }) => {
    if (path === "/redirect") response.writeHead(307, { location: `${receiver.url}elsewhere` }).end();
    if (path === "/long") response.end(`\0${"ü".repeat(1_000_000)}`);
    if (path === "/close") response.destroy();
  });
  const redirect = await world.addSubscription(`${receiver.url}redirect`);
  const long = await world.addSubscription(`${receiver.url}long`);
  const close = await world.addSubscription(`${receiver.url}close`);
  const refused = await world.addSubscription("https://10.0.0.1/");
  const all = [redirect, long, close, refused];
  for (const [index, id] of all.entries()) await queueOne(world, id, `r${index}`);
  await using _worker = startWorker(world.database);
  const logged = async () => (await Promise.all(all.map((id) => attemptsOf(world, id)))).map((attempts) => attempts[0]);
  await until(async () => (await logged()).every((attempt) => attempt !== undefined), "an attempt on each");
  const [redirected, answered, closed, forbidden] = await logged();
  assert.deepEqual([redirected?.status, redirected?.error], [307, null]);
  assert.ok(!receiver.received.some(({ path }) => path === "/elsewhere"));
  assert.equal(answered?.status, 200);
  assert.equal(answered?.answer, `\uFFFD${"ü".repeat(511)}`, "no part of a character");
  assert.deepEqual([closed?.status, closed?.error], [null, "unreachable"]);
  assert.deepEqual([forbidden?.status, forbidden?.error], [null, "forbidden_target"]);
  assert.deepEqual(await statesOf(world), { delivered: 1, pending: 3 });
});

test("an endpoint that says more than is read gets everything, one at a time and at most ten a second once that is known [V-EVT-225] [decision E2]", async () => {
  await using world = await openDeliveryWorld();
  await using pouring = await startReceiver((response) => response.end("x".repeat(100_000)));
  const id = await world.addSubscription(pouring.url);
  for (let record = 0; record < 14; record += 1) await queueOne(world, id, `r${record}`);
  await using _worker = startWorker(world.database);
  await until(async () => (await statesOf(world))["delivered"] === 14, "all deliveries");
  // Eight were under way before the first of them had said anything.
  const times = pouring.received.slice(8).map(({ atMs }) => atMs);
  assert.equal(times.length, 6);
  for (const [place, atMs] of times.slice(1).entries()) assert.ok(atMs - (times[place] ?? 0) >= 99, times.join(" "));
});

test("two workers on one database deliver every event once, each record's in order [V-DLV-007] [V-EVT-120]", async () => {
  await using world = await openDeliveryWorld();
  await using receiver = await startReceiver((response) => setTimeout(() => response.end(), Math.random() * 10));
  const subscriptionId = await world.addSubscription(receiver.url);
  const other = openDatabase({ url: world.database.url, ...LIMITS }, () => undefined);
  await using _stack = { [Symbol.asyncDispose]: () => other[Symbol.asyncDispose]() };
  await using one = startWorker(world.database);
  await using two = startWorker(other);
  for (let streamVersion = 1; streamVersion <= 20; streamVersion += 1) {
    for (let record = 0; record < 20; record += 1) {
      await queueOne(world, subscriptionId, `r${record}`, streamVersion);
      if (record === 0) one.wake();
      if (record === 10) two.wake();
    }
  }
  await until(async () => (await statesOf(world))["delivered"] === 400, "all 400 deliveries");
  assert.equal(receiver.received.length, 400);
  const versions = new Map<string, number[]>();
  for (const { body } of receiver.received) {
    const { id, streamVersion } = JSON.parse(body);
    versions.set(id, [...(versions.get(id) ?? []), streamVersion]);
  }
  const inOrder = Array.from({ length: 20 }, (_none, index) => index + 1);
  for (const [id, came] of versions) assert.deepEqual(came, inOrder, id);
});

const LIMITS = { maxConnections: 4, statementTimeoutMs: 10_000, connectTimeoutMs: 5_000, applicationName: "second" };

async function startWorkerProcess(url: string): Promise<ChildProcess> {
  return spawn(process.execPath, [WORKER, url], { stdio: ["ignore", "inherit", "inherit"] });
}

test("a worker killed after the receiver got its request costs a repeat, no event and no order [V-EVT-121] [V-DLV-005] [V-DLV-006]", async () => {
  await using world = await openDeliveryWorld();
  let answers = false;
  await using receiver = await startReceiver((response) => {
    if (answers) response.end();
  });
  const subscriptionId = await world.addSubscription(receiver.url);
  for (const version of [1, 2, 3]) await queueOne(world, subscriptionId, "r", version);
  const child = await startWorkerProcess(world.database.url);
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  await until(() => receiver.received.length === 1, "the first request");
  child.kill("SIGKILL");
  assert.equal(await ended, "SIGKILL");
  answers = true;
  await using _worker = startWorker(world.database);
  // Nobody else has the lane until the lease of the dead one ends.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(receiver.received.length, 1);
  await until(async () => (await statesOf(world))["delivered"] === 3, "all three deliveries");
  const versions = receiver.received.map(({ body }) => JSON.parse(body).streamVersion);
  assert.deepEqual(versions, [1, 1, 2, 3]);
  assert.equal(receiver.received[0]!.headers["webhook-id"], receiver.received[1]!.headers["webhook-id"]);
});
