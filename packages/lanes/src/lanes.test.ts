import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import type { Lane, LaneDatabase } from "./lane.ts";
import { createLanes } from "./lanes.ts";
import { addVersion, createLaneTable, type StreamColumn, streamsWhose } from "./test-stream-table.ts";

const LEASE_MS = 20_000;
const START_MS = Date.UTC(2030, 0, 1);

async function setup(whenDone: "retained" | "deleted" = "retained") {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await createLaneTable(database);
  const time = { nowMs: START_MS };
  const clock = { nowMs: () => time.nowMs };
  const lanes = createLanes({ database, clock }, streamsWhose(whenDone));
  const claim = (limit = 10) => lanes.claim({ limit, leaseMs: LEASE_MS });
  const add = (stream: string, reader = "r") => addVersion(database, { reader, stream, atMs: time.nowMs });
  const rest = async (count: number) => {
    const text = `insert into stream_lane (reader, stream, tail_version, done_version)
      select 'r', 'resting ' || i, 1, 1 from generate_series(1, $1::int) as i`;
    await database.query({ text, values: [count] });
    await database.query({ text: "vacuum analyze stream_lane", values: [] });
  };
  return { database, time, lanes, claim, add, rest, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

function streamsOf(lanes: readonly Lane<StreamColumn>[]): readonly string[] {
  return lanes.map(({ key }) => key.stream);
}

async function rowOf(database: TestDatabase, stream: string) {
  const { rows } = await database.query<{
    done_version: number;
    next_at: Date | null;
    lease: string | null;
    attempts: number;
  }>({
    text: "select done_version, next_at, lease, attempts from stream_lane where stream = $1",
    values: [stream],
  });
  const [row] = rows;
  return row && { ...row, next_at: row.next_at?.getTime() ?? null };
}

test("claim(): the lanes longest due come first, up to the limit, and no other worker gets them until their lease ends [decision E1]", async () => {
  await using at = await setup();
  for (const stream of ["c", "a", "b"]) {
    await at.add(stream);
    at.time.nowMs += 1;
  }
  assert.deepEqual(streamsOf(await at.claim(2)), ["c", "a"]);
  assert.deepEqual(streamsOf(await at.claim()), ["b"]);
  assert.deepEqual(streamsOf(await at.claim()), []);
  at.time.nowMs += LEASE_MS - 1;
  assert.deepEqual(streamsOf(await at.claim()), []);
  at.time.nowMs += 1;
  assert.deepEqual([...streamsOf(await at.claim())].sort(), ["a", "b", "c"]);
});

test("complete(): a lane at its tail rests, one with a newer tail is due at once, and attempts begin anew [decision E1]", async () => {
  await using at = await setup();
  await at.add("s");
  await at.add("s");
  const [first] = await at.claim();
  assert.deepEqual([first?.tailVersion, first?.doneVersion, first?.attempts], [2, 0, 1]);
  const key = { reader: "r", stream: "s" };
  assert.deepEqual(await at.lanes.complete([{ lane: first!, version: 1 }]), [{ key, isDue: true }]);
  assert.deepEqual(await rowOf(at.database, "s"), {
    done_version: 1,
    next_at: at.time.nowMs,
    lease: null,
    attempts: 0,
  });
  const [second] = await at.claim();
  assert.deepEqual(await at.lanes.complete([{ lane: second!, version: 2 }]), [{ key, isDue: false }]);
  assert.deepEqual(await rowOf(at.database, "s"), { done_version: 2, next_at: null, lease: null, attempts: 0 });
  await at.add("s");
  assert.deepEqual((await rowOf(at.database, "s"))?.next_at, at.time.nowMs);
});

test("where lanes that are done are deleted, a lane is there while something waits on it, and begins anew after what was done [decision E1]", async () => {
  await using at = await setup("deleted");
  await at.add("s");
  await at.add("s");
  const key = { reader: "r", stream: "s" };
  const [first] = await at.claim();
  assert.deepEqual(await at.lanes.complete([{ lane: first!, version: 1 }]), [{ key, isDue: true }]);
  const [second] = await at.claim();
  assert.equal(second?.doneVersion, 1);
  assert.deepEqual(await at.lanes.complete([{ lane: second, version: 2 }]), [{ key, isDue: false }]);
  assert.equal(await rowOf(at.database, "s"), undefined);
  await at.add("s");
  assert.deepEqual(
    (await at.claim()).map(({ doneVersion, tailVersion, attempts }) => [doneVersion, tailVersion, attempts]),
    [[2, 3, 1]],
  );
  assert.deepEqual(await at.lanes.complete([{ lane: second, version: 2 }]), [], "it is another lane's lease");
});

test("fail() and release(): a failed lane is due at the given time and its attempt counts; a released lane is due at once and its attempt does not [decision E1]", async () => {
  await using at = await setup();
  await at.add("failed");
  await at.add("released");
  const claimed = await at.claim();
  const named = (stream: string) => claimed.find(({ key }) => key.stream === stream)!;
  await at.lanes.fail([{ lane: named("failed"), nextAtMs: at.time.nowMs + 700 }]);
  await at.lanes.release([named("released")]);
  const due = { done_version: 0, lease: null };
  assert.deepEqual(await rowOf(at.database, "failed"), { ...due, next_at: at.time.nowMs + 700, attempts: 1 });
  assert.deepEqual(await rowOf(at.database, "released"), { ...due, next_at: at.time.nowMs, attempts: 0 });
  at.time.nowMs += 700;
  assert.deepEqual(
    (await at.claim()).map(({ key, attempts }) => [key.stream, attempts]),
    [
      ["released", 1],
      ["failed", 2],
    ],
  );
});

test("a worker that lost the lease changes nothing, neither the lane nor through the further statements [V-EVT-121] [V-EVT-122]", async () => {
  await using at = await setup();
  await at.add("s");
  await at.database.query({
    text: "create table done (stream text, version int, why text, at timestamptz)",
    values: [],
  });
  const also = [
    { name: "done", text: "insert into done select stream, version, details->>'why', $1::timestamptz from held" },
    { name: "up", text: "insert into done select upper(stream), version, null, $1::timestamptz from held" },
  ];
  const done = async () => (await at.database.query({ text: "select * from done order by stream", values: [] })).rows;
  const [stale] = await at.claim();
  at.time.nowMs += LEASE_MS;
  const [taken] = await at.claim();
  assert.notEqual(taken?.lease, stale?.lease);
  assert.equal(taken?.attempts, 2);
  const before = await rowOf(at.database, "s");
  assert.deepEqual(await at.lanes.complete([{ lane: stale!, version: 1 }], also), []);
  assert.deepEqual(await at.lanes.fail([{ lane: stale!, nextAtMs: 1 }], also), []);
  assert.deepEqual(await at.lanes.release([stale!]), []);
  assert.deepEqual(await rowOf(at.database, "s"), before);
  assert.deepEqual(await done(), []);
  await at.lanes.complete([{ lane: taken!, version: 1, details: { why: "it's done" } }], also);
  const at_ = new Date(at.time.nowMs);
  assert.deepEqual(await done(), [
    { stream: "S", version: 1, why: null, at: at_ },
    { stream: "s", version: 1, why: "it's done", at: at_ },
  ]);
  assert.deepEqual(await at.lanes.complete([{ lane: taken!, version: 1 }], also), []);
});

test("the further statements read each lane's attachment as the given bytes; a lane without one has none", async () => {
  await using at = await setup();
  await at.database.query({ text: "create table attached (stream text, bytes bytea)", values: [] });
  const also = [{ name: "attached", text: "insert into attached select stream, attachment from held" }];
  for (const stream of ["a", "b", "c", "d"]) await at.add(stream);
  const given: Record<string, Buffer> = {
    a: Buffer.from([0, 255, 92]),
    c: Buffer.alloc(100_000, 7),
    d: Buffer.from("é"),
  };
  const lanes = await at.claim();
  const settled = lanes.map((lane) => ({ lane, attachment: given[lane.key.stream] }));
  const [first, ...rest] = settled.toReversed();
  await at.lanes.complete(
    rest.map((one) => ({ ...one, version: 1 })),
    also,
  );
  await at.lanes.fail([{ ...first!, nextAtMs: 1 }], also);
  const { rows } = await at.database.query<{ stream: string; bytes: Buffer }>({ text: "table attached", values: [] });
  assert.deepEqual(Object.fromEntries(rows.map(({ stream, bytes }) => [stream, bytes])), {
    ...given,
    b: Buffer.alloc(0),
  });
});

test("a completion is all or nothing with its further statements [decision E1]", async () => {
  await using at = await setup();
  await at.add("s");
  const [lane] = await at.claim();
  const before = await rowOf(at.database, "s");
  const text = "insert into stream_lane (reader, stream, tail_version) select 'x', stream, version / 0 from held";
  const divide = { name: "divide", text };
  await assert.rejects(at.lanes.complete([{ lane: lane!, version: 1 }], [divide]), { code: "22012" });
  assert.deepEqual(await rowOf(at.database, "s"), before);
});

for (const whenDone of ["retained", "deleted"] as const) {
  test(`a version that comes while its lane is being completed is not forgotten, whoever has the row first, where lanes that are done are ${whenDone} [V-EVT-124]`, async () => {
    await using at = await setup(whenDone);
    await at.add("s");
    const [lane] = await at.claim();
    let completion: Promise<unknown> | undefined;
    // The completion takes its snapshot before this transaction commits, and then waits for the row.
    await at.database.transaction(async (transaction) => {
      await addVersion(transaction, { reader: "r", stream: "s", atMs: at.time.nowMs });
      completion = at.lanes.complete([{ lane: lane!, version: 1 }]);
      await untilSomebodyWaits(at.database);
    });
    await completion;
    const row = await rowOf(at.database, "s");
    assert.deepEqual([row?.done_version, row?.next_at], [1, at.time.nowMs]);
    assert.deepEqual(
      (await at.claim()).map(({ tailVersion }) => tailVersion),
      [2],
    );
  });
}

async function untilSomebodyWaits(database: TestDatabase): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>({
      text: "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      values: [],
    });
    if (rows[0]!.waiting > 0) return;
  }
}

test("batches of the same lanes in any order end without a visible deadlock [decision E1]", async () => {
  await using at = await setup();
  for (let stream = 0; stream < 40; stream += 1) await at.add(`s${stream}`);
  for (let round = 0; round < 8; round += 1) {
    const claimed = await at.claim(40);
    assert.equal(claimed.length, 40);
    const add = async (streams: readonly number[]) => {
      for (const stream of streams) await at.add(`s${stream}`);
    };
    const upwards = Array.from({ length: 40 }, (_, stream) => stream);
    await Promise.all([
      at.lanes.complete(claimed.slice(0, 20).map((lane) => ({ lane, version: lane.tailVersion }))),
      at.lanes.complete(
        claimed
          .slice(20)
          .reverse()
          .map((lane) => ({ lane, version: lane.tailVersion })),
      ),
      add(upwards),
      add(upwards.toReversed()),
    ]);
  }
  const { rows } = await at.database.query({
    text: "select count(*) as broken from stream_lane where tail_version > done_version and next_at is null",
    values: [],
  });
  assert.deepEqual(rows, [{ broken: 0 }]);
});

for (const whenDone of ["retained", "deleted"] as const) {
  test(`no act reads a table of many lanes whole, where those that are done are ${whenDone} [decision E1]`, async () => {
    await using at = await setup(whenDone);
    await at.rest(5_000);
    for (let n = 0; n < 20; n += 1) await at.add(`due ${n}`);
    await at.database.transaction(async (tx) => {
      const lanes = createLanes({ database: tx, clock: { nowMs: () => at.time.nowMs } }, streamsWhose(whenDone));
      const before = await countWholeReads(tx);
      // PostgreSQL plans a statement five times before it reuses a plan.
      for (let n = 0; n < 8; n += 1) {
        const [first, second, third] = await lanes.claim({ limit: 3, leaseMs: LEASE_MS });
        assert.ok(first && second && third);
        await lanes.fail([{ lane: first, nextAtMs: at.time.nowMs }]);
        await lanes.release([second]);
        await lanes.complete([{ lane: third, version: 1 }]);
      }
      assert.equal(await countWholeReads(tx), before);
    });
  });

  test(`a plan that is kept from when there were few lanes settles by their keys, where those that are done are ${whenDone} [decision E1]`, async () => {
    await using at = await setup(whenDone);
    await at.rest(300);
    for (let n = 0; n < 30; n += 1) await at.add(`due ${n}`);
    const claimed = await at.claim(30);
    await at.database.transaction(async (tx) => {
      const lanes = createLanes({ database: tx, clock: { nowMs: () => at.time.nowMs } }, streamsWhose(whenDone));
      const settle = async (from: number) => {
        await lanes.complete([{ lane: claimed[from]!, version: 1 }]);
        await lanes.fail([{ lane: claimed[from + 1]!, nextAtMs: at.time.nowMs }]);
        await lanes.release([claimed[from + 2]!]);
      };
      for (let n = 0; n < 7; n += 1) await settle(n * 3);
      const before = await countWholeReads(tx);
      await settle(21);
      assert.equal(await countWholeReads(tx), before);
    });
  });
}

/** How often this session read the tests' table completely, as far as it has not reported it yet. */
async function countWholeReads(tx: LaneDatabase): Promise<number | undefined> {
  const text = "select seq_scan from pg_stat_xact_user_tables where relname = 'stream_lane'";
  return (await tx.query<{ seq_scan: number }>({ text, values: [] })).rows[0]?.seq_scan;
}
