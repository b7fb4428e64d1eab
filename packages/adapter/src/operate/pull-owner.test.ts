import assert from "node:assert/strict";
import { test } from "node:test";
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
