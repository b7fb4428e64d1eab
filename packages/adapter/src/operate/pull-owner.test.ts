import assert from "node:assert/strict";
import { test } from "node:test";
import { RowFault } from "../mapping/row-fault.ts";
import { ADA, BOB, POSTS, startTestPlatform, USERS } from "../test-platform.ts";
import { createTestVaults } from "../test-vaults.ts";
import { pullOwner } from "./pull-owner.ts";

test("records that are older than the platform get a row each, once, and their later events are applied", async (t) => {
  const vaults = createTestVaults();
  const elsewhere = vaults.as("elsewhere").vault(ADA);
  const write = (ontology: string, payload: object, idempotencyKey: string) =>
    elsewhere.create({ ontology, payload: { ...payload } }, { idempotencyKey });
  const { id } = await write(USERS, { displayName: "Ada", ename: ADA }, "one");
  await write(POSTS, { content: "a post" }, "two");
  const platform = await startTestPlatform("platform", vaults, { received: 2 });
  t.after(() => platform[Symbol.asyncDispose]());
  const { sync } = platform.adapter;
  assert.equal(await pullOwner(sync, { owner: ADA, tableName: "users" }), 1);
  assert.equal(await pullOwner(sync, { owner: ADA, tableName: "users" }), 0);
  assert.equal(await pullOwner(sync, { owner: BOB, tableName: "users" }), 0);
  assert.equal(await pullOwner(sync, { owner: ADA, tableName: "unknown" }), 0);
  const names = async () => (await platform.run("select name from users")).map(({ name }) => name);
  assert.deepEqual([await names(), await platform.run("select id from posts")], [["Ada"], []]);
  await elsewhere.update(id, { ontology: USERS, payload: { displayName: "Ada Berg" } });
  await platform.hear();
  assert.deepEqual(await names(), ["Ada Berg"]);
  assert.equal(vaults.writes(), 3, "nothing is written back");
});

test("a record that cannot be applied as it is, is reported, and the others get their rows", async (t) => {
  const vaults = createTestVaults();
  const elsewhere = vaults.as("elsewhere").vault(ADA);
  for (const [at, stats] of [{ likes: 1 }, { likes: 2 }, { likes: 3 }].entries())
    await elsewhere.create({ ontology: POSTS, payload: { content: `post ${at}`, stats } }, { idempotencyKey: `${at}` });
  const platform = await startTestPlatform("platform", vaults, { received: 3 });
  t.after(() => platform[Symbol.asyncDispose]());
  const { sync } = platform.adapter;
  const { posts } = sync.tables;
  assert.ok(posts);
  const create: typeof posts.create = async (row, transaction) => {
    if (row["likes"] === 2) throw new RowFault("SCALAR_PARENT", "The row cannot be made.");
    return posts.create(row, transaction);
  };
  const faulty = { ...sync, tables: { ...sync.tables, posts: { ...posts, create } } };
  assert.equal(await pullOwner(faulty, { owner: ADA, tableName: "posts" }), 2);
  assert.deepEqual(
    platform.reports.filter(({ kind }) => kind === "refused").map((report) => "why" in report && report.why),
    ["FAILED"],
  );
});
