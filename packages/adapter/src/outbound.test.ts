import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ADA, BOB, POSTS, startTestPlatform, type TestPlatform } from "./test-platform.ts";
import { createTestVaults, refusal, type TestVaults } from "./test-vaults.ts";

async function setup(t: TestContext): Promise<{ readonly vaults: TestVaults; readonly platform: TestPlatform }> {
  const vaults = createTestVaults();
  const platform = await startTestPlatform("a", vaults);
  t.after(() => platform[Symbol.asyncDispose]());
  return { vaults, platform };
}

const POST = { id: "p1", text: "hello", likes: 1, owner: ADA };

/** The payloads of an owner's records, without the fields that are null. */
function payloads(vaults: TestVaults, owner = ADA): readonly unknown[] {
  const present = vaults.records(owner).filter(({ removed }) => !removed);
  return present.map(({ parsed }) => Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null)));
}

test("a new row becomes one record, and an edit sends the fields that changed and no others", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.write("posts", POST);
  await platform.settle();
  await platform.write("posts", { ...POST, text: "hello again" });
  await platform.settle();
  assert.deepEqual(payloads(vaults), [{ content: "hello again", stats: { likes: 1 } }]);
  assert.deepEqual(
    vaults.eventsFor("b").map(({ operation }) => operation),
    ["create", "update"],
  );
});

test("a row that is reported again without a change is not written", async (t) => {
  const { vaults, platform } = await setup(t);
  for (let round = 0; round < 3; round += 1) {
    await platform.write("posts", POST);
    await platform.settle();
  }
  assert.equal(vaults.writes(), 1);
});

test("many changes at once become one record with the last state", async (t) => {
  const { vaults, platform } = await setup(t);
  await Promise.all(Array.from({ length: 50 }, (_, at) => platform.write("posts", { ...POST, text: `edit ${at}` })));
  await platform.settle();
  assert.equal(payloads(vaults).length, 1);
  const [row] = await platform.run("select text from posts");
  assert.deepEqual(payloads(vaults), [{ content: row?.["text"], stats: { likes: 1 } }]);
});

test("a row without an owner is left alone, counted and reported, and becomes a record when it has one", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.write("posts", { ...POST, owner: null });
  await platform.settle();
  assert.equal(vaults.writes(), 0);
  assert.equal((await platform.adapter.status()).counts.skipped, 1);
  assert.deepEqual(platform.reports, [{ kind: "skipped", table: "posts", localId: "p1", why: "NO_OWNER" }]);
  await platform.write("posts", POST);
  await platform.settle();
  assert.equal(vaults.writes(), 1);
});

test("a creation whose answer is lost makes one record", async (t) => {
  const { vaults, platform } = await setup(t);
  vaults.failNext({ error: new Error("connection reset"), after: true });
  await platform.write("posts", POST);
  await platform.settle();
  assert.equal(payloads(vaults).length, 1);
  assert.equal((await platform.adapter.status()).counts.retried, 1);
});

test("a row that is deleted has its record removed, also while its creation is under way", async (t) => {
  const { vaults, platform } = await setup(t);
  vaults.failNext({ error: new Error("connection reset"), after: true });
  await platform.write("posts", POST);
  await platform.adapter.flush();
  await platform.run("delete from posts");
  await platform.adapter.handleChange({ data: POST, tableName: "posts" });
  await platform.settle();
  assert.deepEqual(payloads(vaults), []);
  assert.equal(vaults.records(ADA).length, 1);
  await platform.write("posts", POST);
  await platform.settle();
  assert.equal(payloads(vaults).length, 1, "the same id again is a new record");
});

test("participants get one reference each, and one that fails does not make a second record", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.run("insert into posts (id, text, owner) values ('p1', 'hello', $1)", ADA);
  const change = {
    data: { id: "p1" },
    tableName: "posts",
    participants: [ADA, BOB, BOB.slice(1).toUpperCase(), "nobody"],
  };
  vaults.failNext({ error: Object.assign(new Error("slow"), {}), after: true });
  for (let round = 0; round < 2; round += 1) {
    await platform.adapter.handleChange(change);
    await platform.settle();
  }
  const [record] = vaults.records(ADA);
  assert.deepEqual(payloads(vaults, BOB), [{ _by_reference: `${ADA}/${record?.id}` }]);
  assert.equal(payloads(vaults).length, 1);
});

test("a refusal parks the row with its reason until it is retried, and the others go on", async (t) => {
  const { vaults, platform } = await setup(t);
  vaults.failNext({ error: refusal("FORBIDDEN", 403) });
  await platform.write("posts", POST);
  await platform.settle();
  assert.deepEqual(await platform.adapter.parked(10), [
    { table: "posts", localId: "p1", fault: "FORBIDDEN: refused: FORBIDDEN" },
  ]);
  await platform.write("posts", { ...POST, id: "p2" });
  await platform.settle();
  assert.equal(payloads(vaults).length, 1);
  assert.equal(await platform.adapter.retry(), 1);
  await platform.settle();
  assert.equal(payloads(vaults).length, 2);
});

test("a relation whose target has no record yet is sent when it has one", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.run("insert into users (id, ename, name) values ('u1', $1, 'Ada')", ADA);
  await platform.write("posts", { ...POST, author_id: "u1" });
  await platform.settle();
  assert.deepEqual(payloads(vaults), [{ content: "hello", stats: { likes: 1 } }]);
  await platform.adapter.handleChange({ data: { id: "u1" }, tableName: "users" });
  await platform.settle();
  const author = vaults.records(ADA).find(({ parsed }) => parsed["displayName"] === "Ada");
  const post = vaults.records(ADA).find(({ ontology }) => ontology === POSTS);
  assert.equal(post?.parsed["authorId"], author?.id);
});

test("a picture is stored once, and its address goes in its place", async (t) => {
  const { vaults, platform } = await setup(t);
  const photo = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
  await platform.write("users", { id: "u1", ename: ADA, name: "Ada", photo });
  await platform.settle();
  await platform.write("users", { id: "u1", ename: ADA, name: "Ada L.", photo });
  await platform.settle();
  const files = vaults.records(ADA).filter(({ ontology }) => ontology === "ds-file-v1");
  assert.equal(files.length, 1);
  assert.equal(vaults.records(ADA).at(-1)?.parsed["avatarUrl"], `ds://file?id=${ADA}/${files[0]?.id}`);
});

test("what somebody else put beside a nested field stays", async (t) => {
  const { vaults, platform } = await setup(t);
  await platform.write("posts", POST);
  await platform.settle();
  const [record] = vaults.records(ADA);
  await vaults
    .as("b")
    .vault(ADA)
    .update(record!.id, { ontology: POSTS, payload: { stats: { likes: 1, views: 9 } } });
  await platform.write("posts", { ...POST, likes: 2 });
  await platform.settle();
  assert.deepEqual(record!.parsed["stats"], { likes: 2, views: 9 });
});

test("data without an id is refused at once, and a table without a mapping is passed over", async (t) => {
  const { platform } = await setup(t);
  await assert.rejects(platform.adapter.handleChange({ data: { text: "x" }, tableName: "posts" }), TypeError);
  await platform.adapter.handleChange({ data: { text: "x" }, tableName: "drafts" });
  assert.equal((await platform.adapter.status()).waiting, 0);
});
