import assert from "node:assert/strict";
import { test } from "node:test";
import { createOwnerTurns, OwnerBusy } from "./owner-turns.ts";

test("four run for an owner, sixteen wait, and more are refused, until places are free again", async () => {
  const turns = createOwnerTurns({ nowMs: () => 0 });
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const act = async () => {
    most = Math.max(most, ++running);
    await end;
    running -= 1;
  };
  const all = Array.from({ length: 30 }, () => turns.run("@a", act));
  const refused = (await Promise.race([Promise.allSettled(all.slice(20)), end])) as PromiseSettledResult<void>[];
  assert.ok(refused.every((one) => one.status === "rejected" && one.reason instanceof OwnerBusy));
  await turns.run("@b", async () => {});
  resolve();
  await Promise.all(all.slice(0, 20));
  assert.deepEqual([most, running], [4, 0]);
  await turns.run("@a", async () => {});
});

test("an owner whose vault is slow is refused at once", async () => {
  let nowMs = 0;
  const turns = createOwnerTurns({ nowMs: () => nowMs });
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const running = Array.from({ length: 4 }, () => turns.run("@a", () => end));
  nowMs = 1_000;
  await assert.rejects(
    turns.run("@a", async () => {}),
    { code: "OWNER_BUSY" },
  );
  resolve();
  await Promise.all(running);
});
