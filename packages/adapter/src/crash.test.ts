import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { receiveEvent } from "./inbound/webhook.ts";
import type { CrashOrder, RemoteCall } from "./test-crash-child.ts";
import { ADA, POSTS, startTestPlatform } from "./test-platform.ts";
import { createTestVaults, type TestVaults } from "./test-vaults.ts";

const MOST_STEPS = 150;
const LATER = { nowMs: () => Date.now() + 3_600_000 };

/** Runs a platform that is killed at one of its steps. Out: whether it was; else it came to its end. */
async function runKilled(order: CrashOrder, vaults: TestVaults): Promise<boolean> {
  const child = fork(path.join(import.meta.dirname, "test-crash-child.ts"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let ended = false;
  child.on("message", async (message: RemoteCall | { readonly steps: number }) => {
    if ("steps" in message) {
      ended = true;
      return;
    }
    const { number, owner, method, args } = message;
    const call = vaults.as("a").vault(owner)[method] as (...given: readonly unknown[]) => Promise<unknown>;
    const result = await call(...args);
    if (child.connected) child.send({ number, result }, () => {});
  });
  child.send(order);
  const [code, signal] = await once(child, "exit");
  assert.ok(signal === "SIGKILL" || code === 0, `the child ended by itself with ${code}`);
  return !ended;
}

async function eachStep(
  t: TestContext,
  event: WebhookEvent | undefined,
  prove: (place: string, vaults: TestVaults) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "adapter-crash-"));
  t.after(() => rm(directory, { recursive: true }));
  let killed = 0;
  for (let killAt = 1; killAt < MOST_STEPS; killAt += 1) {
    const place = path.join(directory, `${killAt}.db`);
    const vaults = createTestVaults();
    const before = await startTestPlatform("a", vaults, { path: place });
    if (event === undefined) await before.run("insert into posts (id, text, owner) values ('p1', 'hello', $1)", ADA);
    await before[Symbol.asyncDispose]();
    if (!(await runKilled({ path: place, event, killAt }, vaults))) break;
    killed += 1;
    await prove(place, vaults);
  }
  assert.ok(killed >= 20, `it was killed at ${killed} steps only`);
  t.diagnostic(`killed at ${killed} steps`);
}

test("a platform that is killed at any step of a creation makes exactly one record and one pair", async (t) => {
  await eachStep(t, undefined, async (place, vaults) => {
    await using platform = await startTestPlatform("a", vaults, { path: place, clock: LATER });
    // What triggers or the caller's transaction would have noted, had the kill come before.
    await platform.adapter.handleChange({ data: { id: "p1" }, tableName: "posts" });
    await platform.settle();
    assert.deepEqual(
      vaults.records(ADA).map(({ parsed }) => parsed["content"]),
      ["hello"],
    );
    const pairs = await platform.run("select local_id, global_id from ds_pair");
    assert.deepEqual(
      pairs.map((pair) => ({ ...pair })),
      [{ local_id: "p1", global_id: vaults.records(ADA)[0]?.id }],
    );
    assert.deepEqual(await platform.run("select * from ds_intent"), []);
  });
});

test("a platform that is killed at any step of applying an event has exactly one row and one pair when it comes again", async (t) => {
  const event: WebhookEvent = {
    ...{ eventId: crypto.randomUUID(), id: "g1", dsid: ADA, schemaId: POSTS, data: { content: "hello" } },
    ...{ vaultPublicKey: null, operation: "create", streamVersion: 1, occurredAt: "2026-01-01T00:00:00.000Z" },
  };
  await eachStep(t, event, async (place, vaults) => {
    await using platform = await startTestPlatform("a", vaults, { path: place, clock: LATER });
    await receiveEvent(platform.adapter.sync, event);
    await platform.settle();
    const [row, ...others] = await platform.run("select posts.id, text, local_id from posts, ds_pair");
    assert.deepEqual([row?.["text"], row?.["id"], others], ["hello", row?.["local_id"], []]);
    assert.equal(vaults.writes(), 0, "nothing is written back");
  });
});
