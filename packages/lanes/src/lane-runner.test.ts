import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import type { Lane } from "./lane.ts";
import { type LaneRunnerConfig, type LeasedLanes, startLaneRunner } from "./lane-runner.ts";
import { createLanes } from "./lanes.ts";
import { addVersion, createLaneTable, type StreamColumn, streamsWhose } from "./test-stream-table.ts";

const CONFIG: LaneRunnerConfig = { leaseMs: 20_000, batchSize: 1, concurrency: 4, pollMs: 1_000, gatherMs: () => 0 };
const clock = { nowMs: () => Date.now() };

async function setup() {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await createLaneTable(database);
  const lanes = createLanes({ database, clock }, streamsWhose("retained"));
  const logged: string[] = [];
  const log = {
    info: (_entry: object, message: string) => void logged.push(message),
    warn: (_entry: object, message: string) => void logged.push(message),
  };
  let fault: Error | undefined;
  const start = (
    workOn: (leased: LeasedLanes<Lane<StreamColumn>>) => Promise<void>,
    changes: Partial<LaneRunnerConfig> = {},
    monotonicMs = () => performance.now(),
  ) => {
    const config = { ...CONFIG, ...changes };
    const claim = async (limit: number) => {
      if (fault !== undefined) throw fault;
      return lanes.claim({ limit, leaseMs: config.leaseMs });
    };
    const work = async (leased: LeasedLanes<Lane<StreamColumn>>) => {
      await workOn(leased);
      return true;
    };
    return startLaneRunner({ claim, work, log, monotonicMs }, config);
  };
  const add = (stream: string, reader = "r") => addVersion(database, { reader, stream, atMs: Date.now() });
  const breakDatabase = (error: Error | undefined) => {
    fault = error;
  };
  return {
    database,
    lanes,
    logged,
    start,
    add,
    breakDatabase,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, "it did not come to be in time");
    await wait(5);
  }
}

test("a runner claims a lane within a second without a wake signal, and at once with one [V-EVT-124]", async () => {
  await using at = await setup();
  const taken: number[] = [];
  await using runner = at.start(async ({ lanes: [lane] }) => {
    taken.push(performance.now());
    await at.lanes.complete([{ lane: lane!, version: lane!.tailVersion }]);
  });
  await wait(50);
  const addedMs = performance.now();
  await at.add("unannounced");
  await until(() => taken.length === 1);
  assert.ok(taken[0]! - addedMs < 1_300, `${taken[0]! - addedMs} ms`);
  await wait(50);
  await at.add("announced");
  const wokenMs = performance.now();
  runner.wake();
  await until(() => taken.length === 2);
  assert.ok(taken[1]! - wokenMs < 500, `${taken[1]! - wokenMs} ms`);
});

test("a wake-up while the runner is just looking is not lost [V-EVT-124]", async () => {
  await using at = await setup();
  const taken: string[] = [];
  await using runner = at.start(
    async ({ lanes: [lane] }) => {
      taken.push(lane!.key.stream);
      await at.lanes.complete([{ lane: lane!, version: lane!.tailVersion }]);
    },
    { pollMs: 60_000 },
  );
  for (let round = 0; round < 50; round += 1) {
    runner.wake();
    await at.add(`s${round}`);
    runner.wake();
    await until(() => taken.length === round + 1, 5_000);
  }
});

test("work runs concurrently up to its limit, in batches, and never twice on one lane [V-DLV-008] [decision E1]", async () => {
  await using at = await setup();
  let most = 0;
  const now = new Set<string>();
  const done: string[] = [];
  for (let stream = 0; stream < 12; stream += 1)
    for (let version = 0; version < 3; version += 1) await at.add(`s${stream}`);
  await using runner = at.start(
    async ({ lanes }) => {
      assert.ok(lanes.length <= 2);
      for (const { key } of lanes) {
        assert.ok(!now.has(key.stream), `${key.stream} meets itself`);
        now.add(key.stream);
      }
      most = Math.max(most, now.size);
      await wait(10);
      for (const { key, doneVersion } of lanes) {
        now.delete(key.stream);
        done.push(`${key.stream}:${doneVersion + 1}`);
      }
      await at.lanes.complete(lanes.map((lane) => ({ lane, version: lane.doneVersion + 1 })));
    },
    { batchSize: 2, concurrency: 3 },
  );
  runner.wake();
  await until(() => done.length === 36);
  assert.ok(most > 2 && most <= 6, `${most}`);
  assert.equal(new Set(done).size, 36);
});

test("where more is due than can be taken at once nothing is gathered: the rest follows as soon as there is room [V-DLV-008]", async () => {
  await using at = await setup();
  for (let stream = 0; stream < 12; stream += 1) await at.add(`s${stream}`);
  let worked = 0;
  const changes = { batchSize: 2, concurrency: 2, pollMs: 60_000, gatherMs: () => 30_000 };
  await using _runner = at.start(async ({ lanes }) => {
    await at.lanes.complete(lanes.map((lane) => ({ lane, version: lane.tailVersion })));
    worked += lanes.length;
  }, changes);
  await until(() => worked === 12);
});

test("a lane whose work outlasts its lease is not started again in the same runner [decision E1]", async () => {
  await using at = await setup();
  await at.add("slow");
  let begun = 0;
  const first = Promise.withResolvers<void>();
  await using runner = at.start(
    async ({ lanes: [lane] }) => {
      begun += 1;
      if (begun === 1) await first.promise;
      await at.lanes.complete([{ lane: lane!, version: 1 }]);
    },
    { leaseMs: 60, pollMs: 20 },
  );
  await until(() => begun === 1);
  await wait(300);
  assert.equal(begun, 1);
  first.resolve();
  await until(() => begun === 2);
  runner.wake();
});

test("a lane that is due again before its work has ended is claimed after it, not only after its lease [V-EVT-124]", async () => {
  await using at = await setup();
  await at.add("s");
  await at.add("s");
  const begun: number[] = [];
  await using runner = at.start(
    async ({ lanes: [lane] }) => {
      begun.push(lane!.doneVersion);
      await at.lanes.complete([{ lane: lane!, version: lane!.doneVersion + 1 }]);
      await wait(200);
    },
    { pollMs: 20 },
  );
  runner.wake();
  await until(() => begun.length === 2, 5_000);
  assert.deepEqual(begun, [0, 1]);
});

test("holdsFor() reports the end of the lease by a monotonic clock [decision E1]", async () => {
  await using at = await setup();
  await at.add("s");
  let monotonicMs = 5_000;
  const held: boolean[] = [];
  await using runner = at.start(
    async ({ lanes: [lane], holdsFor }) => {
      for (const lapsed of [0, 14_000, 14_001, 30_000]) {
        monotonicMs = 5_000 + lapsed;
        held.push(holdsFor(6_000));
      }
      await at.lanes.complete([{ lane: lane!, version: 1 }]);
    },
    {},
    () => monotonicMs,
  );
  runner.wake();
  await until(() => held.length === 4);
  assert.deepEqual(held, [true, true, false, false]);
});

test("a database that is down is logged once for the outage, and work goes on when it is back [decision E1]", async () => {
  await using at = await setup();
  const taken: string[] = [];
  at.breakDatabase(new Error("connect ECONNREFUSED"));
  await using runner = at.start(async ({ lanes: [lane] }) => {
    taken.push(lane!.key.stream);
    await at.lanes.complete([{ lane: lane!, version: 1 }]);
  });
  await at.add("s");
  for (let time = 0; time < 20; time += 1) {
    runner.wake();
    await wait(50);
  }
  assert.deepEqual([taken, at.logged], [[], ["lanes cannot be claimed; retrying"]]);
  at.breakDatabase(undefined);
  await until(() => taken.length === 1);
  assert.deepEqual(at.logged.slice(1), ["lanes can be claimed again"]);
});

test("work that throws leaves its lane until the lease ends, and the others continue [V-EVT-121]", async () => {
  await using at = await setup();
  await at.add("bad");
  await at.add("good");
  const begun: string[] = [];
  await using runner = at.start(
    async ({ lanes: [lane] }) => {
      begun.push(lane!.key.stream);
      if (begun.filter((stream) => stream === "bad").length === 1 && lane!.key.stream === "bad")
        throw new Error("broken");
      await at.lanes.complete([{ lane: lane!, version: 1 }]);
    },
    { leaseMs: 500, pollMs: 50 },
  );
  runner.wake();
  await until(() => begun.length === 3);
  assert.deepEqual(begun.toSorted(), ["bad", "bad", "good"]);
  assert.equal(at.logged.length, 1);
});

test("disposing of a runner waits for work in progress and starts no more [decision E1]", async () => {
  await using at = await setup();
  for (const stream of ["one", "two", "three"]) await at.add(stream);
  const done: string[] = [];
  const runner = at.start(
    async ({ lanes: [lane] }) => {
      await wait(150);
      await at.lanes.complete([{ lane: lane!, version: 1 }]);
      done.push(lane!.key.stream);
    },
    { concurrency: 1 },
  );
  await wait(60);
  await runner[Symbol.asyncDispose]();
  assert.equal(done.length, 1);
  await wait(200);
  assert.equal(done.length, 1);
});

test("two runners on one database share the lanes: each version is worked on once and in order [decision E1]", async () => {
  await using at = await setup();
  const seen = new Map<string, number[]>();
  const workers = [new Set<string>(), new Set<string>()];
  const runners = workers.map((mine) =>
    at.start(
      async ({ lanes: [lane] }) => {
        mine.add(lane!.key.stream);
        seen.set(lane!.key.stream, [...(seen.get(lane!.key.stream) ?? []), lane!.doneVersion + 1]);
        await wait(Math.random() * 4);
        await at.lanes.complete([{ lane: lane!, version: lane!.doneVersion + 1 }]);
      },
      { pollMs: 20 },
    ),
  );
  for (let version = 0; version < 10; version += 1) {
    await Promise.all(Array.from({ length: 12 }, (_, stream) => at.add(`s${stream}`)));
    for (const runner of runners) runner.wake();
  }
  await until(() => [...seen.values()].flat().length === 120);
  await wait(100);
  for (const runner of runners) await runner[Symbol.asyncDispose]();
  for (const versions of seen.values()) assert.deepEqual(versions, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.ok(
    workers.every((mine) => mine.size > 0),
    "one of them did everything",
  );
});

test("the count of looks grows with every look, and stops while a claim or all work hangs [decision E1]", async () => {
  await using at = await setup();
  const release = Promise.withResolvers<void>();
  await using runner = at.start(() => release.promise, { concurrency: 1, pollMs: 20 });
  await until(() => runner.looks() > 3);
  at.breakDatabase(new Error("away"));
  const broken = runner.looks();
  await until(() => runner.looks() > broken + 1);
  at.breakDatabase(undefined);
  await at.add("hangs");
  let seen = -1;
  await until(async () => {
    const before = runner.looks();
    await wait(200);
    seen = runner.looks();
    return before === seen;
  });
  release.resolve();
  await until(() => runner.looks() > seen);
});
