import assert from "node:assert/strict";
import { test } from "node:test";
import { createDeliveryWork } from "../src/delivery/delivery-worker.ts";
import type { SendWebhook } from "../src/delivery/send-webhook.ts";
import { type DeliveryWorld, openDeliveryWorld } from "./support/delivery-world.ts";
import { createVirtualClock } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const POOL = 256;
const QUARTER = 64;

/** Queues `records` for each of `subscriptions` new subscriptions of a new consumer, due `sinceMs` ago. */
async function queueFor(
  world: DeliveryWorld,
  { subscriptions, records, sinceMs }: Readonly<Record<"subscriptions" | "records" | "sinceMs", number>>,
): Promise<string> {
  const consumerId = await world.addConsumer();
  for (let place = 0; place < subscriptions; place += 1) {
    const subscriptionId = await world.addSubscription("https://receiver.example/", consumerId);
    for (let record = 0; record < records; record += 1) {
      const recordId = `${subscriptionId}-${record}`;
      await world.queue({ subscriptionId, recordId, streamVersion: 1, receivedAtMs: START - sinceMs });
    }
  }
  return consumerId;
}

function workWith(world: DeliveryWorld, send: SendWebhook, database = world.database) {
  return createDeliveryWork(world.depsWith({ clock: createVirtualClock(START), send, database }));
}

type Work = ReturnType<typeof workWith>;

function start({ work }: Work, lanes: Awaited<ReturnType<Work["claim"]>>): Promise<unknown> {
  return Promise.all(lanes.map((lane) => work({ lanes: [lane], holdsFor: () => true })));
}

function consumersOf(lanes: Awaited<ReturnType<Work["claim"]>>): readonly (string | undefined)[] {
  return lanes.map(({ due }) => due?.subscriber.consumer.id);
}

test("a consumer with many endpoints takes a quarter of the places, and another consumer's newer event gets one at once [decision V25]", async () => {
  await using world = await openDeliveryWorld();
  await queueFor(world, { subscriptions: 40, records: 8, sinceMs: 60_000 });
  const answers: (() => void)[] = [];
  let other = "";
  const hostile = workWith(world, ({ requester }) => {
    if (requester === other) return Promise.resolve(outcomeAt(START, 200));
    return new Promise((resolve) => answers.push(() => resolve(outcomeAt(START, 200))));
  });
  const first = await hostile.claim(POOL);
  assert.equal(first.length, QUARTER);
  const underWay = start(hostile, first);
  other = await queueFor(world, { subscriptions: 1, records: 3, sinceMs: 0 });
  const second = await hostile.claim(POOL - QUARTER);
  assert.deepEqual(consumersOf(second), [other, other, other], "no more of the first consumer, whose places are taken");
  await start(hostile, second);
  while (answers.length < QUARTER) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const answer of answers) answer();
  await underWay;
  assert.equal((await hostile.claim(POOL)).length, QUARTER, "its places come back as its attempts end");
});

test("endpoints that take longer than a second get sixteen places of their consumer's sixty-four together [decision V25]", async () => {
  await using world = await openDeliveryWorld();
  await queueFor(world, { subscriptions: 20, records: 12, sinceMs: 60_000 });
  const slow = workWith(world, async () => outcomeAt(START, 200, { durationMs: 4_800 }));
  for (let known = 0; known < 3; known += 1) {
    const lanes = await slow.claim(POOL);
    assert.ok(known > 0 || lanes.length === QUARTER, String(lanes.length));
    await start(slow, lanes);
  }
  const limited = await slow.claim(POOL);
  assert.equal(limited.length, 16);
});

test("when all places are asked for, consumers take turns, whoever waits longest [decision V25]", async () => {
  await using world = await openDeliveryWorld();
  const ids: string[] = [];
  for (const sinceMs of [50_000, 40_000, 30_000]) {
    ids.push(await queueFor(world, { subscriptions: 2, records: 8, sinceMs }));
  }
  const { claim } = workWith(world, () => assert.fail());
  const counts = new Map(ids.map((id) => [id, 0]));
  for (const id of consumersOf(await claim(12))) counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
  assert.deepEqual([...counts.values()], [4, 4, 4]);
});

const MANY = `
with s as (
  insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, created_at)
  select gen_random_uuid(), $1, 'https://receiver.example/', '{}', '{}', now() from generate_series(1, 1000) returning id)
insert into lane (subscription_id, dsid, record_id, tail_version, next_at)
select s.id, '@11111111-1111-4111-8111-111111111111', 'r' || n, 1, to_timestamp($2::bigint / 1000.0) from s, generate_series(1, 8) n`;

test("a claim locks the lanes that it takes and no others, and reads few of them, however many are due [decision V25]", async () => {
  await using world = await openDeliveryWorld();
  for (let consumers = 0; consumers < 5; consumers += 1) {
    await world.database.query({ text: MANY, values: [await world.addConsumer(), START - 1_000] });
  }
  await world.database.query({ text: "analyze lane, subscription", values: [] });
  const locked: number[] = [];
  const read: number[] = [];
  const watched = {
    ...world.database,
    query: async <Row>(statement: Parameters<typeof world.database.query>[0]) => {
      if (statement.name === "claim-deliveries") {
        const plan = await world.database.query<{ readonly "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>({
          text: `explain (analyze, timing off, format json) ${statement.text}`,
          values: statement.values,
        });
        const nodes = flatten(plan.rows[0]!["QUERY PLAN"][0].Plan);
        const rowsOf = (is: (node: Plan) => boolean) =>
          nodes.filter(is).reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0);
        locked.push(rowsOf((node) => node["Node Type"] === "LockRows"));
        read.push(rowsOf((node) => node["Relation Name"] === "lane" && node["Node Type"] !== "ModifyTable"));
      }
      return world.database.query<Row>(statement);
    },
  };
  const lanes = await workWith(world, () => assert.fail(), watched).claim(POOL);
  assert.equal(lanes.length, POOL);
  // Those that a claim took, and no subscription: no circuit is open.
  assert.deepEqual(locked, [POOL]);
  // A head for each of the 5,000 subscriptions; of those that are chosen the rest of their eight; what is locked, and updated.
  assert.ok(read[0]! <= 5_000 + 5 * QUARTER * 8 + 2 * POOL, String(read[0]));
});

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Plan[];
}

function flatten(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}
