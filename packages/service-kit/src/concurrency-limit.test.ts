import assert from "node:assert/strict";
import { test } from "node:test";
import { createConcurrencyLimit, type Leave, TooBusy } from "./concurrency-limit.ts";

const CONFIG = { atOnce: 4, mostWaiting: 100, waitMs: 60_000 };

test("createConcurrencyLimit(): a caller with many turns does not keep another out: the next free place is the other's [decision V25]", async () => {
  const enter = createConcurrencyLimit(CONFIG);
  const leaves: Leave[] = [];
  for (let n = 0; n < 4; n += 1) leaves.push(await enter({ caller: "many" }));
  const order: string[] = [];
  const queued = ["many", "many", "many", "few"].map(async (caller) => {
    const leave = await enter({ caller });
    order.push(caller);
    leave();
  });
  leaves[0]?.();
  await Promise.all(queued);
  assert.equal(order[0], "few");
  for (const leave of leaves) leave();
});

test("createConcurrencyLimit(): turns that exclude each other run one after the other, and take no place while they wait [decision V25]", async () => {
  const enter = createConcurrencyLimit({ ...CONFIG, atOnce: 2 });
  const first = await enter({ caller: "a", alone: "owner" });
  let entered = false;
  const second = enter({ caller: "b", alone: "owner" }).then((leave) => {
    entered = true;
    return leave;
  });
  (await enter({ caller: "c", alone: "other" }))();
  assert.equal(entered, false);
  first();
  (await second)();
});

test("createConcurrencyLimit(): a wait is bounded in time and in number, and a turn that gave up leaves the queue [decision V25]", async () => {
  const enter = createConcurrencyLimit({ atOnce: 1, mostWaiting: 1, waitMs: 20 });
  const leave = await enter({ caller: "a" });
  const gaveUp = assert.rejects(enter({ caller: "b" }), TooBusy);
  await assert.rejects(enter({ caller: "c" }), TooBusy);
  await gaveUp;
  leave();
  leave();
  (await enter({ caller: "d" }))();
});
