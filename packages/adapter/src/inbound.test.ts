import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { receiveEvent } from "./inbound/webhook.ts";
import { ADA, BOB, POSTS, startTestPlatform, type TestPlatform, USERS } from "./test-platform.ts";
import { createTestVaults, type TestVaults } from "./test-vaults.ts";

interface Two {
  readonly vaults: TestVaults;
  readonly a: TestPlatform;
  readonly b: TestPlatform;
}

async function setup(t: TestContext): Promise<Two> {
  const vaults = createTestVaults();
  const [a, b] = await Promise.all([startTestPlatform("a", vaults), startTestPlatform("b", vaults)]);
  for (const platform of [a, b]) t.after(() => platform[Symbol.asyncDispose]());
  return { vaults, a, b };
}

/** Lets both hear until nobody has news. */
async function quiet({ a, b }: Two): Promise<void> {
  while ((await a.hear()) + (await b.hear()) > 0);
}

const POST = { id: "p1", text: "hello", likes: 1, owner: ADA };
const posts = (platform: TestPlatform) => platform.run("select text, likes from posts order by text");

test("a post of one platform is a row of the other, edits go both ways, and nothing echoes", async (t) => {
  const two = await setup(t);
  await two.a.write("posts", POST);
  await two.a.settle();
  await quiet(two);
  assert.deepEqual(
    await posts(two.b),
    [{ text: "hello", likes: 1 }].map((row) => Object.assign(Object.create(null), row)),
  );
  const [{ id } = {}] = await two.b.run("select id from posts");
  await two.b.run("update posts set text = 'edited by b'");
  await two.b.adapter.handleChange({ data: { id }, tableName: "posts" });
  await two.b.settle();
  await quiet(two);
  assert.deepEqual(await posts(two.a), await posts(two.b));
  assert.equal(two.vaults.writes(), 2);
});

test("edits of different fields at once both survive", async (t) => {
  const two = await setup(t);
  await two.a.write("posts", POST);
  await two.a.settle();
  await quiet(two);
  const [{ id } = {}] = await two.b.run("select id from posts");
  await two.b.run("update posts set text = 'new text'");
  await two.b.adapter.handleChange({ data: { id }, tableName: "posts" });
  await two.b.settle();
  await two.a.write("posts", { ...POST, likes: 7 });
  await quiet(two);
  await two.a.settle();
  await quiet(two);
  for (const platform of [two.a, two.b]) {
    const [row] = await posts(platform);
    assert.deepEqual({ ...row }, { text: "new text", likes: 7 });
  }
});

test("an event that is older than this platform's own write does not take that back", async (t) => {
  const two = await setup(t);
  await two.a.write("posts", POST);
  await two.a.settle();
  await quiet(two);
  const [{ id } = {}] = await two.b.run("select id from posts");
  await two.a.write("posts", { ...POST, text: "first, by a" });
  await two.a.settle();
  await two.b.run("update posts set text = 'second, by b'");
  await two.b.adapter.handleChange({ data: { id }, tableName: "posts" });
  await two.b.settle();
  await quiet(two);
  const [stored] = two.vaults.records(ADA);
  for (const platform of [two.a, two.b]) assert.equal((await posts(platform))[0]?.["text"], stored?.parsed["content"]);
});

test("a removal removes the row, and neither a late event nor the removal itself brings back a blank one", async (t) => {
  const two = await setup(t);
  await two.a.write("posts", POST);
  await two.a.settle();
  await quiet(two);
  await two.a.run("delete from posts");
  await two.a.adapter.handleChange({ data: POST, tableName: "posts" });
  await two.a.settle();
  await quiet(two);
  assert.deepEqual(await posts(two.b), []);
  for (const event of two.vaults.eventsFor("b").toReversed()) await receiveEvent(two.b.adapter.sync, event);
  for (const event of two.vaults.eventsFor("nobody")) await receiveEvent(two.a.adapter.sync, event);
  assert.deepEqual([await posts(two.a), await posts(two.b)], [[], []]);
});

test("a removal of a record that is unknown makes no row, also when its creation comes later", async (t) => {
  const { b } = await setup(t);
  const event = eventOf({ operation: "delete", data: {}, streamVersion: 2 });
  assert.equal(await receiveEvent(b.adapter.sync, event), "applied");
  assert.equal(
    await receiveEvent(b.adapter.sync, {
      ...event,
      eventId: randomUUID(),
      operation: "create",
      streamVersion: 1,
      data: { content: "late" },
    }),
    "stale",
  );
  assert.deepEqual(await posts(b), []);
});

function eventOf(members: Partial<WebhookEvent>): WebhookEvent {
  return {
    eventId: randomUUID(),
    id: "g1",
    dsid: ADA,
    schemaId: POSTS,
    data: { content: "hello" },
    vaultPublicKey: null,
    operation: "create",
    streamVersion: 1,
    occurredAt: "2026-01-01T00:00:00.000Z",
    ...members,
  };
}

test("each event is applied once in any order of ten deliveries", async (t) => {
  const { b } = await setup(t);
  const versions = [1, 2, 3].map((streamVersion) =>
    eventOf({
      streamVersion,
      operation: streamVersion === 1 ? "create" : "update",
      data: { content: `v${streamVersion}` },
    }),
  );
  for (const at of [0, 2, 1, 0, 2, 2, 1, 0, 1, 2]) await receiveEvent(b.adapter.sync, versions[at]!);
  assert.equal((await posts(b))[0]?.["text"], "v3");
  assert.equal((await b.adapter.status()).counts.applied, 2);
});

test("two owners with one record id have two rows", async (t) => {
  const { b } = await setup(t);
  await receiveEvent(b.adapter.sync, eventOf({}));
  await receiveEvent(b.adapter.sync, eventOf({ dsid: BOB, data: { content: "of Bob" } }));
  assert.equal((await posts(b)).length, 2);
});

test("a record that names somebody else as its owner makes no row", async (t) => {
  const { b } = await setup(t);
  const stolen = eventOf({ dsid: BOB, schemaId: USERS, data: { ename: ADA, displayName: "Ada" } });
  await receiveEvent(b.adapter.sync, stolen);
  assert.deepEqual(await b.run("select * from users"), []);
  assert.deepEqual(b.reports, [{ kind: "refused", globalId: "g1", why: "OWNER_MISMATCH" }]);
});

test("a row that the platform gave to somebody else is neither taken back nor removed by its former owner's vault, and follows it once given back", async (t) => {
  const { vaults, a, b } = await setup(t);
  await a.write("users", { id: "u1", ename: ADA, name: "Ada" });
  await a.settle();
  await b.hear();
  const users = async () => (await b.run("select name, ename from users")).map(({ name, ename }) => [name, ename]);
  await b.run("update users set ename = $1, name = 'Bob'", BOB);
  const [{ id: globalId } = { id: "" }] = vaults.records(ADA);
  const patch = { ontology: USERS, payload: { displayName: "Ada again", ename: ADA } };
  await vaults.as("a").vault(ADA).update(globalId, patch);
  await b.hear();
  const of = eventOf({ id: globalId, schemaId: USERS, data: {}, operation: "delete", streamVersion: 9 });
  await receiveEvent(b.adapter.sync, of);
  assert.deepEqual(await users(), [["Bob", BOB]]);
  assert.deepEqual(
    b.reports.filter(({ kind }) => kind === "refused").map((report) => "why" in report && report.why),
    ["OWNER_MISMATCH", "OWNER_MISMATCH"],
  );
  const [{ id } = {}] = await b.run("select id from users");
  await b.adapter.handleChange({ data: { id }, tableName: "users" });
  await b.settle();
  await b.run("update users set ename = $1, name = 'Ada'", ADA);
  await b.adapter.handleChange({ data: { id }, tableName: "users" });
  await b.settle();
  assert.deepEqual(await users(), [["Ada again", ADA]]);
});

test("a record of which nothing is mapped makes no row", async (t) => {
  const { b } = await setup(t);
  await receiveEvent(b.adapter.sync, eventOf({ data: { other: 1 } }));
  assert.deepEqual(await posts(b), []);
});

test("a relation to a record that comes later is written when it comes", async (t) => {
  const two = await setup(t);
  await two.a.write("users", { id: "u1", ename: ADA, name: "Ada" });
  await two.a.write("posts", { ...POST, author_id: "u1" });
  await two.a.settle();
  await two.a.settle();
  const events = two.vaults.eventsFor("b");
  const ofPosts = events.filter(({ schemaId }) => schemaId === POSTS);
  const others = events.filter(({ schemaId }) => schemaId !== POSTS);
  for (const event of [...ofPosts, ...others]) await receiveEvent(two.b.adapter.sync, event);
  await two.b.settle();
  const [row] = await two.b.run("select posts.author_id, users.id from posts, users");
  assert.equal(row?.["author_id"], row?.["id"]);
  assert.equal(two.vaults.writes(), events.length, "nothing was written back");
});

test("an event that overtakes the answer to the creation that made it is not applied yet", async (t) => {
  const two = await setup(t);
  two.vaults.failNext({ error: new Error("connection reset"), after: true });
  await two.a.write("posts", POST);
  await two.a.adapter.flush();
  const [event] = two.vaults.eventsFor("nobody");
  await assert.rejects(receiveEvent(two.a.adapter.sync, event!), { code: "CREATION_UNDER_WAY" });
  await two.a.settle();
  await receiveEvent(two.a.adapter.sync, event!);
  assert.equal((await posts(two.a)).length, 1);
});

test("the webhook is made with a secret or insecure alone, and answers 401, and 200 for an unknown schema", async (t) => {
  const { b } = await setup(t);
  assert.throws(() => b.adapter.createWebhook({}), { code: "NOTHING_TRUSTED" });
  const send = (receive: (request: Request) => Promise<Response>, event: WebhookEvent) =>
    receive(new Request("http://b.example/api/webhook", { method: "POST", body: JSON.stringify(event) }));
  const closed = b.adapter.createWebhook({ secrets: [`whsec_${Buffer.alloc(32, 7).toString("base64")}`] });
  assert.equal((await send(closed, eventOf({}))).status, 401);
  assert.deepEqual(await posts(b), []);
  const open = b.adapter.createWebhook({ insecure: true });
  assert.equal((await send(open, eventOf({ schemaId: "unknown" }))).status, 200);
  assert.equal((await send(open, eventOf({}))).status, 200);
  assert.equal((await posts(b)).length, 1);
});
