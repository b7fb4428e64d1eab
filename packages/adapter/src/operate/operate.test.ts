import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { installCapture } from "../capture/install-capture.ts";
import { createMappings } from "../mapping/create-mappings.ts";
import { sendDue } from "../outbound/outbound-runner.ts";
import { ADA, BOB, POSTS, startTestPlatform, TEST_MAPPINGS, type TestPlatform, USERS } from "../test-platform.ts";
import { createTestVaults, type TestVaults } from "../test-vaults.ts";
import { backfill } from "./backfill.ts";
import { catchUp } from "./catch-up.ts";
import { diffTable } from "./diff-table.ts";
import { examine } from "./doctor.ts";

const ROWS = 1_200;

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
  assert.deepEqual(counted.at(-1), { seen: ROWS, noted: 1_080, withoutOwner: 120 });
  assert.equal(vaults.writes(), 0);
  for await (const _progress of backfill(sync, "posts", { dryRun: false, flush })) break;
  let seen = 0;
  for await (const progress of backfill(sync, "posts", { dryRun: false, flush })) seen = progress.seen;
  assert.equal(seen, ROWS - 500);
  assert.equal(vaults.writes(), 1_080);
});

test("after its end a backfill begins again, so a row whose id comes earlier is sent too", async (t) => {
  const { vaults, platform } = await setup(t);
  const send = async () => {
    const { sync } = platform.adapter;
    for await (const _progress of backfill(sync, "posts", { dryRun: false, flush: platform.settle }));
  };
  await platform.run("insert into posts (id, text, owner) values ('p5', 'hello', $1)", ADA);
  await send();
  await platform.run("insert into posts (id, text, owner) values ('p1', 'earlier', $1)", ADA);
  await send();
  assert.equal(vaults.writes(), 2);
});

test("a row that the vault refuses in a bulk is sent by itself, and so is one with a picture", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.run("insert into posts (id, text, owner) values ('p1', 'refused', $1), ('p2', 'fine', $1)", ADA);
  const photo = "data:image/png;base64,AAAA";
  await platform.run(
    "insert into users (id, ename, name, photo) values ('u1', $1, 'Ada', $2), ('u2', $1, 'Bob', null)",
    ADA,
    photo,
  );
  for (const table of ["posts", "users"]) {
    const { sync } = platform.adapter;
    for await (const _progress of backfill(sync, table, { dryRun: false, flush: platform.settle }));
  }
  const contents = vaults.records(ADA).map(({ parsed }) => parsed["content"] ?? parsed["displayName"]);
  assert.deepEqual(contents.filter((content) => content !== undefined).sort(), ["Ada", "Bob", "fine", "refused"]);
});

test("a bulk whose answer is lost, or that is interrupted before its pairs are saved, makes each record once", async (t) => {
  const { vaults, platform } = await setup(t);
  for (let at = 0; at < 50; at += 1)
    await platform.run("insert into posts (id, text, owner) values ($1, 'hello', $2)", `p${at}`, ADA);
  const { sync } = platform.adapter;
  vaults.failNext({ error: new Error("connection reset"), after: true });
  for await (const _progress of backfill(sync, "posts", { dryRun: false, flush: async () => {} })) break;
  assert.equal(vaults.writes(), 50);
  // What a process that was killed after the answer leaves: intents and no pairs.
  assert.equal((await platform.run("select * from ds_pair")).length, 0);
  await platform.run("delete from ds_change");
  await platform.run("delete from ds_cursor");
  for await (const _progress of backfill(sync, "posts", { dryRun: false, flush: platform.settle }));
  assert.equal(vaults.writes(), 50);
  assert.equal((await platform.run("select * from ds_pair")).length, 50);
  assert.deepEqual(await platform.run("select * from ds_intent"), []);
});

test("rows of one bulk that name each other end with each other's ids", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.run("insert into posts (id, text, owner, author_id) values ('p1', 'hello', $1, 'u1')", ADA);
  await platform.run("insert into users (id, ename, name) values ('u1', $1, 'Ada')", ADA);
  const { sync } = platform.adapter;
  for (const table of ["posts", "users"])
    for await (const _progress of backfill(sync, table, { dryRun: false, flush: platform.settle }));
  const author = vaults.records(ADA).find(({ parsed }) => parsed["displayName"] === "Ada");
  const post = vaults.records(ADA).find(({ parsed }) => parsed["content"] === "hello");
  assert.equal(post?.parsed["authorId"], author?.id);
});

test("a row that cannot be mapped is parked and reported, and stops neither a backfill nor a diff", async (t) => {
  const { vaults, platform } = await setup(t);
  const mappings = createMappings([
    {
      file: "posts",
      document: {
        ...{ tableName: "posts", schemaId: POSTS, ownerEnamePath: "owner" },
        localToUniversalMap: { tags: "meta", text: "meta.text" },
      },
    },
  ]);
  const insert = "insert into posts (id, text, owner, tags) values ($1, $1, $2, $3)";
  await platform.run(insert, "p1", ADA, "{}");
  await platform.run(insert, "p2", ADA, "5");
  await platform.run(insert, "p3", ADA, "{}");
  const sync = { ...platform.adapter.sync, mappings };
  const flush = async () => {
    while ((await sendDue(sync)) > 0);
  };
  const progress = [];
  for await (const now of backfill(sync, "posts", { dryRun: false, flush })) progress.push(now);
  assert.equal(progress.at(-1)?.seen, 3);
  assert.deepEqual(
    vaults.records(ADA).map(({ parsed }) => parsed["meta"]),
    [{ text: "p1" }, { text: "p3" }],
  );
  const parked = await platform.adapter.parked(10);
  assert.deepEqual(
    parked.map(({ localId }) => localId),
    ["p2"],
  );
  assert.equal((await platform.adapter.status()).counts.parked, 1);
  await platform.run("update posts set tags = '5' where id = 'p1'");
  await platform.run("update posts set text = 'edited' where id = 'p3'");
  const found = [];
  for await (const { localId, kind, fields } of diffTable(sync, "posts")) found.push([localId, kind, ...fields]);
  assert.deepEqual(found, [
    ["p1", "unmappable", "SCALAR_PARENT"],
    ["p2", "no-record"],
    ["p3", "fields", "meta", "meta.text"],
  ]);
});

test("a list that does not go on is refused, and not read forever", async (t) => {
  const { platform } = await setup(t);
  const posts = { ...platform.adapter.sync.tables["posts"]!, list: async () => [{ id: "p1" }] };
  const sync = { ...platform.adapter.sync, tables: { posts } };
  await assert.rejects(async () => {
    for await (const _progress of backfill(sync, "posts", { dryRun: true, flush: async () => {} }));
  }, /gives the row p1 after itself/);
});

test("an event that can never be applied does not stop a catch-up, a cursor of another feed begins again, and an outage keeps the place", async (t) => {
  const { vaults, platform } = await setup(t);
  const other = await startTestPlatform("b", vaults);
  t.after(() => other[Symbol.asyncDispose]());
  for (let at = 0; at < 20; at += 1) await other.write("posts", { id: `p${at}`, text: `post ${at}`, owner: ADA });
  await other.settle();
  const packets: unknown[] = [...vaults.eventsFor("a")];
  packets.splice(3, 0, { id: "broken" }, null);
  const feed = async (address: string) => {
    const url = new URL(address);
    const cursor = url.searchParams.get("cursor");
    if (cursor === "of another feed")
      return Response.json({ error: { code: "BAD_CURSOR", message: "no" } }, { status: 400 });
    return Response.json({ packets: cursor === "end" ? [] : packets, cursor: "end", more: false, gap: false });
  };
  const config = { fetch: feed, awarenessUrl: "http://awareness.example/", authorization: undefined, dryRun: false };
  const { sync } = platform.adapter;
  const down = { ...sync.tables["posts"]!, create: () => Promise.reject(new Error("the database is down")) };
  await platform.run("insert into ds_cursor values ('catch-up', 'of another feed')");
  await assert.rejects(async () => {
    for await (const _progress of catchUp({ ...sync, tables: { ...sync.tables, posts: down } }, config));
  }, /the database is down/);
  const progress = [];
  for await (const now of catchUp(sync, config)) progress.push(now);
  assert.deepEqual(progress.at(-1), { applied: 20, passedOver: 0, refused: 2, gap: true });
  assert.equal((await platform.adapter.status()).counts.refused >= 2, true);
});

test("events that name rows which are not known yet do not stop a catch-up, and are applied when those come", async (t) => {
  const { platform } = await setup(t);
  const mappings = createMappings([
    {
      file: "users",
      document: {
        ...{ tableName: "users", schemaId: USERS, ownerEnamePath: "ename" },
        localToUniversalMap: { name: "displayName" },
      },
    },
    {
      file: "posts",
      document: {
        ...{ tableName: "posts", schemaId: POSTS, ownerEnamePath: "owner" },
        localToUniversalMap: { text: "content", tags: "users(tags)[],memberIds" },
      },
    },
  ]);
  const { users, posts } = platform.adapter.sync.tables;
  assert.ok(users && posts);
  // A post belongs to its members, as far as they are known here.
  const read: typeof posts.read = async (id, transaction) => {
    const row = await posts.read(id, transaction);
    return row && { ...row, owner: (row["tags"] as readonly string[]).length > 0 ? ADA : BOB };
  };
  const packet = (schemaId: string, id: string, data: object) => ({
    ...{ eventId: crypto.randomUUID(), id, dsid: ADA, schemaId, operation: "create", streamVersion: 1, data },
    ...{ vaultPublicKey: null, occurredAt: "2026-01-01T00:00:00.000Z" },
  });
  const waiting = Array.from({ length: 12 }, (_, at) =>
    packet(POSTS, `p${at}`, { content: `post ${at}`, memberIds: ["ada"] }),
  );
  const never = packet(POSTS, "never", { content: "of nobody", memberIds: ["somebody"] });
  const packets = [...waiting, never, packet(USERS, "ada", { displayName: "Ada" })];
  const answer = { packets, cursor: "end", more: false, gap: false };
  const config = {
    ...{ fetch: async () => Response.json(answer), awarenessUrl: "http://awareness.example/" },
    ...{ authorization: undefined, dryRun: false },
  };
  const sync = { ...platform.adapter.sync, mappings, tables: { users, posts: { ...posts, read } } };
  const progress = [];
  for await (const now of catchUp(sync, config)) progress.push(now);
  assert.deepEqual(progress.at(-1), { applied: 13, passedOver: 0, refused: 1, gap: false });
  assert.equal((await platform.run("select * from posts")).length, 12);
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
  const feed = async (address: string) => {
    const url = new URL(address);
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const all = vaults.eventsFor("a");
    const packets = all.slice(from, from + 100);
    return Response.json({ packets, cursor: String(from + packets.length), more: from + 100 < all.length, gap: false });
  };
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
