import assert from "node:assert/strict";
import { test } from "node:test";
import { purgeRemoved } from "../src/store/purge-removed.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { makeEvent } from "./support/events.ts";
import { until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";

const DAY_MS = 86_400_000;
const PATH = "/api/subscriptions";

test("a subscription that is paused for 30 days is removed, and deleted with its rows an hour later; a resumed one stays [decision V21]", async (t) => {
  const start = Date.now();
  let nowMs = start;
  const config = { devConsumer: true, nowMs: () => nowMs };
  const awareness = await startAwareness(t, config);
  const add = async () =>
    (await awareness.ask(PATH, { body: { targetUrl: awareness.endpoint.url } })).body.id as string;
  const [paused, resumed, used] = [await add(), await add(), await add()];
  const set = (id: string, active: boolean) => awareness.ask(`${PATH}/${id}`, { method: "PATCH", body: { active } });
  await awareness.ingest([makeEvent(), makeEvent()]);
  await set(paused, false);
  await set(resumed, false);
  nowMs = start + 29 * DAY_MS;
  await set(paused, false);
  await set(resumed, true);
  await set(resumed, false);
  const listed = async () => (await awareness.ask(PATH)).body.subscriptions.map(({ id }: { id: string }) => id);
  nowMs = start + 30 * DAY_MS + 1_000;
  // Each start sweeps once.
  await startAwareness(t, { ...config, database: awareness.database });
  await until(async () => (await listed()).length === 2, "the removal of the paused one");
  assert.deepEqual((await listed()).toSorted(), [resumed, used].toSorted());
  nowMs += 3_601_000;
  await startAwareness(t, { ...config, database: awareness.database });
  const rowsOf = async (id: string) => {
    const text = `select (select count(*) from subscription where id = $1)
      + (select count(*) from subscription_secret where subscription_id = $1) + (select count(*) from lane where subscription_id = $1)
      + (select count(*) from delivery where subscription_id = $1)::int as rows`;
    return Number((await awareness.database.query<{ rows: string }>({ text, values: [id] })).rows[0]?.rows);
  };
  await until(async () => (await rowsOf(paused)) === 0, "the deletion of the removed one");
  assert.ok((await rowsOf(used)) > 2);
});

test("a removed subscription is purged part by part, while another's rows stay [decision V21]", async () => {
  await using world = await openDeliveryWorld();
  const { database } = world;
  const [gone, remaining] = [await world.addSubscription(), await world.addSubscription()];
  for (const subscriptionId of [gone, remaining]) {
    await database.query({
      text: `insert into attempt (id, subscription_id, event_id, number, started_at, duration_ms)
             select gen_random_uuid(), $1, gen_random_uuid(), 1, now(), 1 from generate_series(1, 10001)`,
      values: [subscriptionId],
    });
    await world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: 1_790_000_000_000 });
  }
  await database.query({
    text: "update subscription set removed = true, removed_at = to_timestamp(1) where id = $1",
    values: [gone],
  });
  assert.equal(await purgeRemoved(database, 1_000), 0, "not before its time");
  const parts = [];
  do parts.push(await purgeRemoved(database, 2_000));
  while (parts.at(-1) !== 0);
  assert.deepEqual(parts, [1, 1, 10_000, 1, 1, 1, 0]);
  const { rows } = await database.query({
    text: "select subscription_id, count(*)::int as attempts from attempt group by 1",
    values: [],
  });
  assert.deepEqual(rows, [{ subscription_id: remaining, attempts: 10_001 }]);
});
