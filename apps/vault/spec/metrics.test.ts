import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { create } from "./support/operations.ts";
import { startIngestStub } from "./support/start-ingest-stub.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** What a series stands at, as whoever scrapes the vault sees it. */
async function figure({ adminUrl }: TestVault, series: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  assert.ok(line !== undefined, `there is no ${series} in\n${text}`);
  return Number(line.slice(series.length + 1));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 30_000;
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, "it did not come to be in time");
    await wait(20);
  }
}

test("while awareness is away outbox_depth grows and the oldest ages; once it is back both are 0 [decision E1]", async () => {
  await using awareness = await startIngestStub();
  let laterMs = 0;
  const clock = { nowMs: () => Date.now() + laterMs };
  await using vault = await startVault({ awareness: awareness.address }, { clock });
  const owner = await vault.createOwner();
  assert.deepEqual([await figure(vault, "outbox_depth"), await figure(vault, "outbox_oldest_seconds")], [0, 0]);
  awareness.answer = (_request, response) => response.writeHead(503).end();
  await create(vault, owner, { payload: { n: 1 } });
  assert.equal(await figure(vault, "outbox_depth"), 1);
  laterMs += 400_000;
  for (let n = 2; n <= 4; n += 1) await create(vault, owner, { payload: { n } });
  assert.equal(await figure(vault, "outbox_depth"), 4);
  const oldest = await figure(vault, "outbox_oldest_seconds");
  assert.ok(oldest >= 400 && oldest < 600, `${oldest} s`);
  awareness.answer = undefined;
  await until(async () => (await figure(vault, "outbox_depth")) === 0);
  assert.equal(await figure(vault, "outbox_oldest_seconds"), 0);
  assert.equal(awareness.stored.size, 4);
});

test("a vault that hands events over to nobody tells how many wait [decision E1]", async () => {
  await using vault = await startVault();
  await create(vault, await vault.createOwner(), { payload: {} });
  assert.equal(await figure(vault, "outbox_depth"), 1);
});

test("a stream with something to send that is never due counts as a broken invariant, once", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await create(vault, owner, { payload: {} });
  assert.equal(await figure(vault, "invariant_failures_total"), 0);
  await vault.database.query({ text: "update outbox_lane set next_at = null", values: [] });
  assert.equal(await figure(vault, "invariant_failures_total"), 1);
  assert.equal(await figure(vault, "invariant_failures_total"), 1);
  await create(vault, owner, { payload: {} });
  await vault.database.query({ text: "update outbox_lane set next_at = null", values: [] });
  assert.equal(await figure(vault, "invariant_failures_total"), 2);
  await vault.database.query({ text: "update outbox_lane set next_at = now()", values: [] });
  assert.equal(await figure(vault, "invariant_failures_total"), 2, "it only grows");
});
