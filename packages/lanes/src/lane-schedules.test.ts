import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import fc from "fast-check";
import type { Lane } from "./lane.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { addVersion, createLaneTable, type StreamColumn, streamsWhose } from "./test-stream-table.ts";

const LEASE_MS = 20_000;
const READERS = ["a", "b"];

/** A worker's state: its lane, and the version that it sent of it, if any. */
interface Holding {
  readonly lane: Lane<StreamColumn>;
  sent: number | undefined;
}

type Step =
  | { readonly act: "write"; readonly stream: number }
  | { readonly act: "claim"; readonly worker: number; readonly limit: number }
  | { readonly act: "send" | "complete" | "fail" | "release" | "crash"; readonly worker: number }
  | { readonly act: "wait"; readonly ms: number };

const worker = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("write" as const), stream: fc.nat({ max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("claim" as const), worker, limit: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constantFrom("send" as const, "complete" as const), worker }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom("fail" as const, "release" as const, "crash" as const), worker }),
  },
  // Up to three leases at once, and backwards: no clock decides the order.
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("wait" as const), ms: fc.integer({ min: -30_000, max: 60_000 }) }),
  },
);
/** Steps of one list run at the same time. */
const schedule = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 40 });

/** Three workers, three streams and two readers, on a clock that the test controls. */
interface World {
  readonly database: TestDatabase;
  readonly lanes: Lanes<StreamColumn>;
  readonly holdings: readonly Holding[][];
  readonly received: Map<string, number[]>;
  readonly written: Map<string, number>;
  readonly time: { nowMs: number };
}

function createWorld(database: TestDatabase, whenDone: "retained" | "deleted"): World {
  const time = { nowMs: Date.UTC(2030, 0, 1) };
  const lanes = createLanes({ database, clock: { nowMs: () => time.nowMs } }, streamsWhose(whenDone));
  return { database, lanes, holdings: [[], [], []], received: new Map(), written: new Map(), time };
}

async function take(world: World, now: Step): Promise<void> {
  if (now.act === "wait") {
    world.time.nowMs += now.ms;
  } else if (now.act === "write") {
    await write(world, `s${now.stream}`);
  } else if (now.act === "claim") {
    const claimed = await world.lanes.claim({ limit: now.limit, leaseMs: LEASE_MS });
    world.holdings[now.worker]!.push(...claimed.map((lane) => ({ lane, sent: undefined })));
  } else if (now.act === "send") {
    send(world, world.holdings[now.worker]!);
  } else {
    await settle(world, now.act, world.holdings[now.worker]!.splice(0));
  }
}

// Like ingest: the lanes of one stream in key order, the tail set by whoever holds the stream's own lock.
async function write({ database, written, time }: World, stream: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: "select pg_advisory_xact_lock(hashtext($1))", values: [stream] });
    for (const reader of READERS) {
      const version = await addVersion(transaction, { reader, stream, atMs: time.nowMs });
      written.set(`${reader}/${stream}`, version);
    }
  });
}

/** A worker with a lane, or one that lost it without knowing, sends the versions after `doneVersion` at its claim. */
function send({ received }: World, holdings: readonly Holding[]): void {
  for (const holding of holdings) {
    const { key, doneVersion } = holding.lane;
    const name = `${key.reader}/${key.stream}`;
    holding.sent = doneVersion + 1;
    received.set(name, [...(received.get(name) ?? []), doneVersion + 1]);
  }
}

async function settle(
  { lanes, time }: World,
  act: "complete" | "fail" | "release" | "crash",
  holdings: readonly Holding[],
): Promise<void> {
  const sent = holdings.filter((holding) => holding.sent !== undefined);
  const unsent = holdings.filter((holding) => holding.sent === undefined).map(({ lane }) => lane);
  if (act === "crash") return;
  if (act === "release") await lanes.release(unsent);
  if (act === "fail") await lanes.fail(holdings.map(({ lane }) => ({ lane, nextAtMs: time.nowMs + 5_000 })));
  if (act !== "complete") return;
  await lanes.complete(sent.map(({ lane, sent: version }) => ({ lane, version: version as number })));
  await lanes.release(unsent);
}

/** All previous workers are gone; one new worker finishes. */
async function drain(world: World): Promise<void> {
  world.time.nowMs += 3_600_000;
  for (;;) {
    const claimed = await world.lanes.claim({ limit: 100, leaseMs: LEASE_MS });
    if (claimed.length === 0) return;
    const holdings = claimed.map((lane): Holding => ({ lane, sent: undefined }));
    send(world, holdings);
    await settle(world, "complete", holdings);
  }
}

for (const whenDone of ["retained", "deleted"] as const) {
  test(`whatever the schedule of writers, workers, crashes and clocks: first deliveries are in order, nothing is lost, nothing stalls, where lanes that are done are ${whenDone} [V-EVT-120] [V-EVT-121] [V-EVT-122] [V-EVT-123] [V-DLV-005] [V-DLV-007]`, async () => {
    await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
    await createLaneTable(database);
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        await database.query({ text: "truncate stream_lane, stream_version", values: [] });
        const world = createWorld(database, whenDone);
        for (const atOnce of steps) {
          await Promise.all(atOnce.map((now) => take(world, now)));
          await assertLive(database);
        }
        await drain(world);
        for (const [name, versions] of world.received) assertInOrder(name, versions);
        for (const [name, last] of world.written)
          assert.equal(Math.max(...(world.received.get(name) ?? [0])), last, name);
      }),
      { numRuns: Number(process.env["DS_LANES_RUNS"] ?? 60) },
    );
  });
}

/** A version arrives for the first time only directly after its predecessor; earlier versions may repeat. */
function assertInOrder(name: string, versions: readonly number[]): void {
  let highest = 0;
  for (const version of versions) {
    assert.ok(version <= highest + 1, `${name}: ${versions.join(" ")}`);
    highest = Math.max(highest, version);
  }
}

async function assertLive(database: TestDatabase): Promise<void> {
  const { rows } = await database.query({
    text: "select * from stream_lane where tail_version > done_version and next_at is null",
    values: [],
  });
  assert.deepEqual(rows, []);
}
