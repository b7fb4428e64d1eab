import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { purgeAttempts } from "../src/store/purge-attempts.ts";
import { createPurgeEvents } from "../src/store/purge-events.ts";
import { countRedelivery } from "../src/store/redeliver.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { eventIdOf, makeEvent, type SentEvent } from "./support/events.ts";
import { startReceiver, startWorker, until } from "./support/real-delivery.ts";
import { redeliver } from "./support/redeliver.ts";
import { startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const DAY_MS = 86_400_000;
const FEED = "/api/packets";

async function count(database: Queryable, what: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>({ text: `select count(*) as n from ${what}`, values: [] });
  return rows[0]!.n;
}

/** Purges whatever was received and settled before a moment. Out: the size of each part. */
async function purge(database: Queryable, beforeMs: number): Promise<readonly number[]> {
  const purgeEvents = createPurgeEvents(database);
  const parts = [await purgeEvents(beforeMs)];
  while (parts.at(-1) !== 0) parts.push(await purgeEvents(beforeMs));
  return parts;
}

/** Hands events over, and waits until each has its place in the feed. */
async function send(awareness: TestAwareness, ...events: readonly SentEvent[]): Promise<void> {
  assert.equal((await awareness.ingest(events)).status, 200);
  await until(async () => (await count(awareness.database, "unnumbered")) === 0, "their places in the feed");
}

async function subscribe(t: TestContext, awareness: TestAwareness) {
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  t.after(() => receiver[Symbol.asyncDispose]());
  const { body } = await awareness.ask("/api/subscriptions", {
    body: { targetUrl: receiver.url, ontologyFilter: ["note"] },
  });
  const change = (active: boolean) =>
    awareness.ask(`/api/subscriptions/${body.id}`, { method: "PATCH", body: { active } });
  const versions = () =>
    receiver.received
      .filter(({ headers }) => headers["webhook-type"] === undefined)
      .map(({ body: text }) => JSON.parse(text).streamVersion);
  return { id: body.id as string, change, versions };
}

/** Lanes on which something is due but that lead to no delivery, or to one whose event is gone. */
const LOST_LANES = `lane l where next_at is not null and not exists (
  select from delivery d join event using (event_id)
   where d.subscription_id = l.subscription_id and d.dsid = l.dsid and d.record_id = l.record_id
     and d.stream_version > l.done_version and d.state = 'pending')`;

test("a service drops attempts, settled deliveries and events after 30 days; what is not settled stays, and is delivered", async (t) => {
  let nowMs = Date.now() - 2 * DAY_MS;
  const awareness = await startAwareness(t, { devConsumer: true, nowMs: () => nowMs });
  const { database } = awareness;
  const [prompt, paused] = [await subscribe(t, awareness), await subscribe(t, awareness)];
  await send(awareness, makeEvent({ schemaId: "received by nobody" }));
  nowMs = Date.now();
  await send(awareness, ...[1, 2, 3].map((streamVersion) => makeEvent({ id: "r", streamVersion })));
  await paused.change(false);
  // So that it does not expire before the deliveries of the other are purged.
  await database.query({
    text: "update subscription set paused_at = now() + interval '9 days' where not active",
    values: [],
  });
  await using worker = startWorker(database);
  await until(() => prompt.versions().length === 3, "three webhooks");
  await until(async () => (await count(database, "delivery where state = 'delivered'")) === 3, "their settlement");
  await startAwareness(t, { database, nowMs: () => Date.now() + 29 * DAY_MS });
  await until(async () => (await count(database, "event")) === 3, "the purge of the event that is 31 days old by then");
  assert.deepEqual([await count(database, "attempt"), await count(database, "delivery")], [3, 6]);
  await startAwareness(t, { database, nowMs: () => Date.now() + 31 * DAY_MS });
  await until(async () => (await count(database, "delivery")) === 3, "the purge of deliveries");
  await until(async () => (await count(database, "attempt")) === 0, "the purge of attempts");
  assert.equal(await count(database, "event"), 3);
  assert.equal(await count(database, LOST_LANES), 0);
  await paused.change(true);
  worker.wake();
  await until(() => paused.versions().length === 3, "what waited");
  assert.deepEqual(paused.versions(), [1, 2, 3]);
  await until(async () => (await count(database, "delivery where state = 'delivered'")) === 3, "its settlement");
  await purge(database, Date.now() + DAY_MS);
  assert.deepEqual([await count(database, "delivery"), await count(database, "event")], [0, 0]);
});

test("a reader of the feed whose place was deleted gets a gap and continues; places are never assigned again [V-EVT-245] [V-EVT-246]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const { database } = awareness;
  const page = async (query = "") => (await awareness.ask(FEED + query)).body;
  await send(awareness, makeEvent(), makeEvent(), makeEvent());
  await purge(database, Date.now() + DAY_MS);
  const end = { hasMore: false, nextCursor: null };
  assert.deepEqual(await page("?cursor=1"), { packets: [], cursor: "3", more: false, gap: true, ...end });
  assert.deepEqual(await page("?cursor=3"), { packets: [], cursor: "3", more: false, gap: false, ...end });
  assert.deepEqual(await page(), { packets: [], cursor: "3", more: false, gap: false, ...end });
  const next = makeEvent();
  await send(awareness, next);
  const answer = await page("?cursor=2");
  assert.deepEqual([answer.packets[0].eventId, answer.cursor, answer.gap], [eventIdOf(next), "4", true]);
  const abort = new AbortController();
  const headers = { "last-event-id": "1" };
  const { body } = await fetch(`${awareness.url}${FEED}/stream`, { headers, signal: abort.signal });
  let text = "";
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(eventIdOf(next))) break;
  }
  abort.abort();
  assert.match(text, /^event: gap\ndata: \{\}\n\nid: 4\ndata: /);
});

test("an event that stays because it is not delivered is in the feed, before the gap's end [V-EVT-245]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const events = [makeEvent({ schemaId: "note" }), makeEvent({ schemaId: "poll" }), makeEvent({ schemaId: "note" })];
  const targetUrl = awareness.endpoint.url;
  await awareness.ask("/api/subscriptions", { body: { targetUrl, ontologyFilter: ["poll"] } });
  await send(awareness, ...events);
  await purge(awareness.database, Date.now() + DAY_MS);
  const { body } = await awareness.ask(`${FEED}?cursor=0`);
  assert.deepEqual([body.packets[0].eventId, body.packets.length], [eventIdOf(events[1]!), 1]);
  assert.deepEqual([body.cursor, body.gap], ["3", true]);
});

test("a purged event that comes again is a duplicate by its version, whatever it holds, and newer versions are taken [V-EVT-213]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const { database } = awareness;
  const first = makeEvent({ id: "r", streamVersion: 4 });
  await send(awareness, first);
  await purge(database, Date.now() + DAY_MS);
  const other = makeEvent({ eventId: eventIdOf(first), id: "r", streamVersion: 4, data: { other: true } });
  for (const again of [first, other, makeEvent({ id: "r", streamVersion: 3 })]) {
    const { status, body } = await awareness.ingest(again);
    assert.deepEqual([status, body.results], [200, [{ eventId: eventIdOf(again), status: "duplicate" }]]);
  }
  assert.equal(await count(database, "event"), 0);
  const { body } = await awareness.ingest(makeEvent({ id: "r", streamVersion: 5 }));
  assert.equal(body.results[0].status, "accepted");
});

test("what is left of a record is replayed in its order, and what was purged is not counted [V-EVT-243] [V-EVT-244]", async () => {
  await using world = await openDeliveryWorld();
  const { database } = world;
  const subscriptionId = await world.addSubscription();
  const nowMs = Date.now();
  for (let streamVersion = 1; streamVersion <= 4; streamVersion += 1) {
    const receivedAtMs = nowMs - (streamVersion <= 2 ? 40 : 1) * DAY_MS;
    await world.queue({ subscriptionId, recordId: "r", streamVersion, receivedAtMs });
  }
  await number(database);
  const settle = `update delivery d set state = 'dead', settled_at = received_at from event e where e.event_id = d.event_id`;
  await database.query({ text: settle, values: [] });
  await database.query({ text: "update lane set done_version = 4, next_at = null", values: [] });
  assert.deepEqual(await purge(database, nowMs - 30 * DAY_MS), [4, 0]);
  const all = { kind: "since", sinceMs: 0 } as const;
  assert.deepEqual(await countRedelivery(database, { subscriptionId, redelivery: all }), {
    deliveries: 2,
    lanes: 1,
  });
  const dead = { kind: "dead", eventId: undefined } as const;
  const put = await redeliver(database, { subscriptionId, redelivery: dead, nowMs: () => nowMs });
  assert.deepEqual(put, { deliveries: 2, lanes: 1, busyLanes: 0 });
  assert.equal(await count(database, LOST_LANES), 0);
  assert.deepEqual(await purge(database, nowMs + DAY_MS), [0], "what waits again stays");
});

test("much is dropped in parts, side by side with another purge, with redeliveries and past rows that somebody holds", async () => {
  await using world = await openDeliveryWorld();
  const { database } = world;
  const RECORDS = 3_000;
  const SUBSCRIPTIONS = 4;
  const ids: string[] = [];
  for (let n = 0; n < SUBSCRIPTIONS; n += 1) ids.push(await world.addSubscription());
  await fill(database, ids, RECORDS);
  const nowMs = Date.now();
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = database.transaction(async (transaction) => {
    const text = "select from delivery where subscription_id = $1 and record_id = 'r7' for update";
    await transaction.query({ text, values: [ids[0]] });
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  const again = { subscriptionId: ids[1]!, redelivery: { kind: "since", sinceMs: 0 } as const, nowMs: () => nowMs };
  const [one, other, put] = await Promise.all([
    purge(database, nowMs),
    purge(database, nowMs),
    redeliver(database, again),
  ]);
  assert.ok(
    [...one, ...other].every((part) => part <= 11_000),
    "no part is much more than 10,000 rows",
  );
  await purge(database, nowMs);
  assert.equal(await count(database, LOST_LANES), 0);
  assert.equal(await count(database, "delivery where state = 'pending'"), put.deliveries);
  assert.equal(await count(database, "delivery where state <> 'pending'"), 1, "the one that is held");
  const stored = await count(database, "event");
  assert.ok(
    stored === put.deliveries || stored === put.deliveries + 1,
    `${stored} events for ${put.deliveries} deliveries`,
  );
  held.resolve();
  await holder;
  await purge(database, nowMs);
  assert.deepEqual(
    [await count(database, "delivery"), await count(database, "event")],
    [put.deliveries, put.deliveries],
  );
  let attempts = await purgeAttempts(database, nowMs - 30 * DAY_MS);
  assert.equal(attempts, 10_000);
  attempts += await purgeAttempts(database, nowMs - 30 * DAY_MS);
  assert.equal(attempts, RECORDS * SUBSCRIPTIONS);
  assert.equal(await purgeAttempts(database, nowMs - 30 * DAY_MS), 0);
  assert.equal(await count(database, "attempt"), 1, "the one that is younger");
});

/** Gives every event its place, in the order in which they came. */
async function number(database: Queryable): Promise<void> {
  await database.query({
    text: "insert into feed (position, event_id) select row_number() over (), event_id from event",
    values: [],
  });
}

/** Fills a database with records of one event each, long since delivered to every subscription. */
async function fill(database: Queryable, subscriptionIds: readonly string[], records: number): Promise<void> {
  const owner = "@22222222-2222-4222-8222-222222222222";
  const old = "now() - interval '40 days'";
  const run = (text: string, values: readonly unknown[] = []) => database.query({ text, values });
  await run(
    `insert into event (event_id, dsid, record_id, stream_version, schema_id, operation, body, policy, occurred_at, received_at)
     select gen_random_uuid(), $1, 'r' || n, 1, 'note', 'create', '{}', '{}', ${old}, ${old} from generate_series(1, $2::int) n`,
    [owner, records],
  );
  await number(database);
  await run(
    `insert into delivery (subscription_id, dsid, record_id, stream_version, event_id, state, deadline, settled_at)
     select s, dsid, record_id, 1, event_id, 'delivered', ${old} + interval '1 day', ${old}
       from event cross join unnest($1::uuid[]) s`,
    [subscriptionIds],
  );
  await run(
    `insert into lane (subscription_id, dsid, record_id, tail_version, done_version)
     select subscription_id, dsid, record_id, 1, 1 from delivery`,
  );
  // An id that begins with its time, as attempts have.
  const id = (at: string) =>
    `overlay(gen_random_uuid()::text placing regexp_replace(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') from 1 for 13)::uuid`;
  await run(
    `insert into attempt (id, subscription_id, event_id, number, started_at, duration_ms, status)
     select ${id(old)}, subscription_id, event_id, 1, ${old}, 5, 204 from delivery`,
  );
  await run(
    `insert into attempt (id, subscription_id, event_id, number, started_at, duration_ms, status)
     select ${id("now()")}, subscription_id, event_id, 1, now(), 5, 204 from delivery limit 1`,
  );
}
