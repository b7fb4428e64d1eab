import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { installCapture } from "../capture/install-capture.ts";
import { ADA, startTestPlatform, TEST_MAPPINGS, type TestPlatform } from "../test-platform.ts";
import { createTestVaults, type TestVaults } from "../test-vaults.ts";
import { backfill } from "./backfill.ts";
import { catchUp } from "./catch-up.ts";
import { diffTable } from "./diff-table.ts";
import { examine } from "./doctor.ts";

const ROWS = 450;

async function setup(t: TestContext): Promise<{ readonly vaults: TestVaults; readonly platform: TestPlatform }> {
  const vaults = createTestVaults();
  const platform = await startTestPlatform("a", vaults);
  t.after(() => platform[Symbol.asyncDispose]());
  return { vaults, platform };
}

async function fill({ run }: TestPlatform): Promise<void> {
  for (let at = 0; at < ROWS; at += 1) {
    const owner = at % 10 === 0 ? null : ADA;
    await run("insert into posts (id, text, owner) values ($1, 'hello', $2)", `p${at}`, owner);
  }
}

test("a backfill sends every row that has an owner and no record, once, and goes on where it was interrupted", async (t) => {
  const { vaults, platform } = await setup(t);
  await fill(platform);
  const { sync } = platform.adapter;
  const flush = platform.settle;
  const counted = [];
  for await (const progress of backfill(sync, "posts", { dryRun: true, flush })) counted.push(progress);
  assert.deepEqual(counted.at(-1), { seen: ROWS, noted: 405, withoutOwner: 45 });
  assert.equal(vaults.writes(), 0);
  for await (const _progress of backfill(sync, "posts", { dryRun: false, flush })) break;
  let seen = 0;
  for await (const progress of backfill(sync, "posts", { dryRun: false, flush })) seen = progress.seen;
  assert.equal(seen, ROWS - 200);
  assert.equal(vaults.writes(), 405);
});

test("a diff names rows without a record, with other fields and without an owner", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.write("posts", { id: "p1", text: "hello", owner: ADA });
  await platform.write("posts", { id: "p2", text: "gone", owner: ADA });
  await platform.settle();
  await platform.run("update posts set text = 'edited behind its back' where id = 'p1'");
  await platform.run("insert into posts (id, owner) values ('p3', $1), ('p4', null)", ADA);
  const gone = vaults.records(ADA).find(({ parsed }) => parsed["content"] === "gone");
  await vaults
    .as("b")
    .vault(ADA)
    .remove(gone?.id ?? "");
  const found = [];
  for await (const { localId, kind, fields } of diffTable(platform.adapter.sync, "posts"))
    found.push([localId, kind, ...fields]);
  assert.deepEqual(found, [
    ["p1", "fields", "content"],
    ["p2", "record-gone"],
    ["p3", "no-record"],
    ["p4", "no-owner"],
  ]);
});

test("a platform that was away catches up by the cursor of the feed, and applies nothing twice", async (t) => {
  const vaults = createTestVaults();
  const [away, other] = [await startTestPlatform("a", vaults), await startTestPlatform("b", vaults)];
  for (const platform of [away, other]) t.after(() => platform[Symbol.asyncDispose]());
  for (let at = 0; at < 150; at += 1) await other.write("posts", { id: `p${at % 30}`, text: `edit ${at}`, owner: ADA });
  await other.settle();
  const feed = (async (url: URL) => {
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const all = vaults.eventsFor("a");
    const packets = all.slice(from, from + 100);
    return Response.json({ packets, cursor: String(from + packets.length), more: from + 100 < all.length, gap: false });
  }) as typeof fetch;
  const config = { fetch: feed, awarenessUrl: "http://awareness.example/", authorization: undefined };
  for await (const progress of catchUp(away.adapter.sync, { ...config, dryRun: true })) assert.ok(progress.applied > 0);
  assert.deepEqual(await away.run("select * from posts"), []);
  for await (const { refused } of catchUp(away.adapter.sync, { ...config, dryRun: false })) assert.equal(refused, 0);
  const texts = async (platform: TestPlatform) =>
    (await platform.run("select text from posts order by text")).map(({ text }) => text);
  assert.deepEqual(await texts(away), await texts(other));
  for await (const { applied } of catchUp(away.adapter.sync, { ...config, dryRun: false })) assert.equal(applied, 0);
});

test("the doctor says which tables have no trigger, and that rows are parked", async (t) => {
  const { platform } = await setup(t);
  const faults = async () =>
    (await examine(platform.adapter.sync)).filter(({ isWell }) => !isWell).map(({ what }) => what);
  assert.deepEqual(await faults(), ["capture of users", "capture of posts"]);
  await installCapture(platform.adapter.sync.database, { mappings: TEST_MAPPINGS });
  assert.deepEqual(await faults(), []);
});
