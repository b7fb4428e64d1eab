import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { redeliverPart } from "../src/store/redeliver.ts";
import { beginJob, claimJob, noteJobPart } from "../src/store/replay-jobs.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";

const SINCE = { since: "2020-01-01T00:00:00Z" };
const OWNER = "@00000000-0000-4000-8000-000000000001";
const OPEN = JSON.stringify({ acl: ["*"], _acl: null, owner: null });
const CLOSED = JSON.stringify({ acl: null, _acl: { v: 1 }, owner: null });

/** Stores two delivered versions of each of many records. */
async function fill(on: Queryable, subscriptionId: string, records: number): Promise<void> {
  const given = "generate_series(1, $1::int) r cross join generate_series(1, 2) v";
  const statements: readonly (readonly [string, readonly unknown[]])[] = [
    [
      `insert into event (event_id, dsid, record_id, stream_version, schema_id, operation, body, policy, occurred_at, received_at)
       select gen_random_uuid(), '${OWNER}', 'r' || r, v, 'note', 'update', '{}', '${OPEN}', now(), now() from ${given}`,
      [records],
    ],
    [
      `insert into stream_head (dsid, record_id, last_version, policy)
       select '${OWNER}', 'r' || r, 2, '${OPEN}' from generate_series(1, $1::int) r`,
      [records],
    ],
    [
      `insert into delivery (subscription_id, dsid, record_id, stream_version, event_id, state, deadline, settled_at)
       select $1, dsid, record_id, stream_version, event_id, 'delivered', now(), now() from event`,
      [subscriptionId],
    ],
    [
      `insert into lane (subscription_id, dsid, record_id, tail_version, done_version)
       select $1, dsid, record_id, 2, 2 from stream_head`,
      [subscriptionId],
    ],
  ];
  for (const [text, values] of statements) await on.query({ text, values });
}

async function lanesBack(on: Queryable): Promise<number> {
  const text = "select from lane where done_version = 0 and next_at is not null";
  return (await on.query({ text, values: [] })).rowCount;
}

test("a replay of more than 500 records is answered 202 after the first part, and a worker does the rest, by what the consumer may read then [decision E7] [decision V25]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const { database } = awareness;
  const { body: made } = await awareness.ask("/api/subscriptions", { body: { targetUrl: awareness.endpoint.url } });
  const at = `/api/subscriptions/${made.id}/replay`;
  assert.equal((await awareness.ask(at)).code, "NOT_FOUND");
  await fill(database, made.id, 1_201);
  const counted = { deliveries: 2_402, lanes: 1_201, busyLanes: 0 };
  assert.deepEqual((await awareness.ask(at, { body: { ...SINCE, dryRun: true } })).body, { dryRun: true, ...counted });
  const hide = `
    create function hide_next_record() returns trigger language plpgsql as $$
    begin
      update stream_head set policy = '${CLOSED}', last_version = 3
       where record_id = (select min(record_id) from lane where record_id > new.after_record_id);
      return null;
    end $$`;
  await database.query({ text: hide, values: [] });
  const text = `create trigger hide after update on replay_job for each row when (old.lanes = 0 and new.lanes = 500)
                execute function hide_next_record()`;
  await database.query({ text, values: [] });
  const started = await awareness.ask(at, { body: SINCE });
  assert.equal(started.status, 202);
  assert.deepEqual([started.body.lanes, started.body.deliveries, started.body.job.finishedAt], [500, 1_000, null]);
  const job = await awareness.ask(at);
  assert.deepEqual([job.status, job.body.id, job.body.since], [200, started.body.job.id, "2020-01-01T00:00:00.000Z"]);
  await until(async () => (await awareness.ask(at)).body.finishedAt !== null, "the end of the job");
  const { lanes, deliveries, busyLanes } = (await awareness.ask(at)).body;
  assert.deepEqual({ lanes, deliveries, busyLanes }, { deliveries: 2_400, lanes: 1_200, busyLanes: 0 });
  assert.equal(await lanesBack(database), 1_200);
  assert.equal(
    (await awareness.ask(at, { body: SINCE })).status,
    202,
    "what is pending is not counted, and another job may begin",
  );
});

test("while a replay runs, another replay or redrive of the subscription is REPLAY_RUNNING and spends no token; one dead letter is redriven all the same [decision V25]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const ask = (path: string, body: object, credential: string) => awareness.ask(path, { body, credential });
  const { body: made } = await ask("/api/subscriptions", { targetUrl: awareness.endpoint.url }, await person.token());
  const nowMs = Date.now();
  await beginJob(awareness.database, { subscriptionId: made.id, sinceMs: 0, nowMs });
  const at = `/api/subscriptions/${made.id}`;
  const token = await person.token();
  for (const [path, body] of [
    ["replay", SINCE],
    ["redrive", {}],
  ] as const) {
    const refused = await ask(`${at}/${path}`, body, token);
    assert.deepEqual([refused.status, refused.code], [409, "REPLAY_RUNNING"], path);
  }
  assert.equal((await ask(`${at}/replay`, { ...SINCE, dryRun: true }, token)).status, 200);
  assert.equal((await ask(`${at}/redrive`, { eventId: crypto.randomUUID() }, token)).status, 200);
});

test("a job whose process ended goes on after 60 s where it was, and what the late one did is not noted [decision E2]", async () => {
  await using world = await openDeliveryWorld();
  const { database } = world;
  const subscriptionId = await world.addSubscription();
  await fill(database, subscriptionId, 501);
  const nowMs = Date.now();
  const lost = (await beginJob(database, { subscriptionId, sinceMs: 0, nowMs }))!;
  assert.equal(await claimJob(database, nowMs + 59_999), undefined);
  const job = (await claimJob(database, nowMs + 60_001))!;
  const request = { subscriptionId, redelivery: job.redelivery, nowMs: () => nowMs };
  const part = await redeliverPart(database, request, job.after);
  assert.equal(await noteJobPart(database, lost, { ...part, nowMs }), false);
  assert.equal(await noteJobPart(database, job, { ...part, nowMs }), true);
  const next = (await claimJob(database, nowMs + 60_002))!;
  assert.deepEqual(next.after, { dsid: OWNER, recordId: part.after?.recordId });
  const last = await redeliverPart(database, request, next.after);
  assert.deepEqual(last, { put: { deliveries: 2, lanes: 1, busyLanes: 0 }, after: undefined });
  assert.equal(await noteJobPart(database, next, { ...last, nowMs }), true);
  assert.equal(await claimJob(database, nowMs + 200_000), undefined);
  await database.query({ text: "update replay_job set finished_at = null, next_at = now()", values: [] });
  await database.query({ text: "update subscription set removed = true", values: [] });
  assert.equal(await claimJob(database, nowMs + 200_000), undefined, "of a removed subscription");
});
