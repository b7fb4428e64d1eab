import assert from "node:assert/strict";
import { test } from "node:test";
import { createDeliveryWork } from "../src/delivery/delivery-worker.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { createVirtualClock } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const RECORDS = ["r0", "r1", "r2", "r3", "r4"];

test("attempts that end together are settled together, and one that cannot be settled keeps its lane alone [E1]", async () => {
  await using world = await openDeliveryWorld();
  const clock = createVirtualClock(START);
  const subscriptionId = await world.addSubscription();
  for (const recordId of RECORDS) {
    await world.queue({ subscriptionId, recordId, streamVersion: 1, receivedAtMs: START });
  }
  let statements = 0;
  const counted = {
    ...world.database,
    query: <Row>(statement: Parameters<typeof world.database.query>[0]) => {
      statements += 1;
      return world.database.query<Row>(statement);
    },
  };
  const deps = world.depsWith({
    clock,
    database: counted,
    send: async ({ body }) => {
      const isPoison = JSON.parse(body).id === "r2";
      // More than a column holds: a clock that was set ahead by a month.
      const durationMs = isPoison ? 2 ** 31 : 1;
      return outcomeAt(START, 200, { durationMs, answer: "" });
    },
  });
  const { claim, work } = createDeliveryWork(deps);
  const lanes = await claim(256);
  assert.deepEqual([lanes.length, statements], [5, 3]);
  const ends = await Promise.allSettled(lanes.map((lane) => work({ lanes: [lane], holdsFor: () => true })));
  assert.equal(statements, 3 + 1 + RECORDS.length);
  assert.equal(ends.filter(({ status }) => status === "rejected").length, 1);
  const text = "select record_id from delivery where state = 'delivered' order by record_id";
  const { rows } = await world.database.query<{ readonly record_id: string }>({ text, values: [] });
  assert.deepEqual(
    rows.map((row) => row.record_id),
    RECORDS.filter((id) => id !== "r2"),
  );
});
