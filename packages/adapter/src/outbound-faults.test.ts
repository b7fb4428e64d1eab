import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { createRecord } from "./outbound/create-record.ts";
import { TEST_STATES } from "./state/test-states.ts";
import type { OwnerVault } from "./sync/vaults.ts";
import { ADA, BOB, POSTS, startTestPlatform, TEST_MAPPINGS, type TestPlatform } from "./test-platform.ts";
import { createTestVaults, refusal, type TestVaults } from "./test-vaults.ts";

const POST = { id: "p1", text: "hello", likes: 1, owner: ADA };
const EVE = "@33333333-3333-4333-8333-333333333333";

/** Vaults in which a platform's calls pass through `change`. */
function changed(vaults: TestVaults, change: (vault: OwnerVault, owner: string) => Partial<OwnerVault>): TestVaults {
  const as: TestVaults["as"] = (name) => ({
    vault: (owner) => {
      const vault = vaults.as(name).vault(owner);
      return { ...vault, ...change(vault, owner) };
    },
  });
  return { ...vaults, as };
}

async function start(t: TestContext, vaults: TestVaults): Promise<TestPlatform> {
  const platform = await startTestPlatform("a", vaults);
  t.after(() => platform[Symbol.asyncDispose]());
  return platform;
}

const contents = (vaults: TestVaults, owner: string) =>
  vaults.records(owner).flatMap(({ parsed, removed }) => (removed ? [] : [parsed["content"]]));

test("two processes that create the record of one row at once make one", async (t) => {
  const state = await TEST_STATES["PostgreSQL"]!(process.env[TEST_SERVER_SETTING]);
  t.after(() => state[Symbol.asyncDispose]());
  const vaults = createTestVaults();
  const { database } = state;
  const clock = { nowMs: () => Date.now() };
  const sync = { mappings: TEST_MAPPINGS, database, vaults: vaults.as("a"), clock, report: () => {} };
  const mapping = TEST_MAPPINGS.byTable.get("posts")!;
  for (let round = 0; round < 20; round += 1) {
    const flags = { tail: 1, lease: "", attempts: 1, pull: false, snapshot: undefined, participants: [] };
    const change = { table: "posts", localId: `p${round}`, ...flags };
    const creation = { owner: ADA, payload: { content: `${round}` } };
    const create = () => createRecord(sync, mapping, { change, creation });
    const outcomes: readonly PromiseSettledResult<void>[] = await Promise.allSettled([create(), create(), create()]);
    assert.ok(outcomes.some(({ status }) => status === "fulfilled"));
  }
  assert.equal(vaults.records(ADA).length, 20);
  assert.deepEqual(await database.query({ text: "select * from ds_intent", values: [] }), []);
});

test("a row whose creation was refused is sent as it is after it was corrected", async (t) => {
  const vaults = createTestVaults();
  const platform = await start(t, vaults);
  vaults.failNext({ error: refusal("INVALID_PAYLOAD", 422) });
  await platform.write("posts", { ...POST, text: "refused" });
  await platform.settle();
  assert.deepEqual(await platform.run("select * from ds_intent"), []);
  await platform.write("posts", { ...POST, text: "corrected" });
  await platform.settle();
  assert.deepEqual(contents(vaults, ADA), ["corrected"]);
});

test("a creation whose answer was lost and whose repetition is refused is found again, and not made twice", async (t) => {
  const vaults = createTestVaults();
  const platform = await start(t, vaults);
  vaults.failNext({ error: new Error("connection reset"), after: true }, { error: refusal("FORBIDDEN", 403) });
  await platform.write("posts", POST);
  await platform.settle();
  await platform.settle();
  assert.deepEqual(contents(vaults, ADA), ["hello"]);
  assert.equal((await platform.run("select * from ds_pair")).length, 1);
});

test("a repeated creation sends the same payload and access list, also when the row and its participants changed", async (t) => {
  const vaults = createTestVaults();
  const sent: unknown[] = [];
  const watched = changed(vaults, ({ create }) => ({
    create: (input, options) => {
      if (input.ontology === POSTS) sent.push({ input, options });
      return create(input, options);
    },
  }));
  const platform = await start(t, watched);
  vaults.failNext({ error: new Error("connection reset") });
  await platform.write("posts", POST);
  await platform.adapter.handleChange({ data: POST, tableName: "posts", participants: [BOB] });
  await platform.adapter.flush();
  await platform.write("posts", { ...POST, text: "edited" });
  await platform.adapter.handleChange({ data: POST, tableName: "posts", participants: [BOB, EVE] });
  await platform.settle();
  await platform.settle();
  assert.ok(sent.length >= 2);
  assert.deepEqual(sent[1], sent[0]);
  assert.deepEqual((sent[0] as { input: { acl: unknown } }).input.acl, [ADA, BOB]);
  assert.deepEqual(contents(vaults, ADA), ["edited"]);
});

test("a row that changed hands is written neither to its former owner's vault nor to the new one's, until it is given back", async (t) => {
  const vaults = createTestVaults();
  const platform = await start(t, vaults);
  await platform.write("posts", POST);
  await platform.settle();
  await platform.write("posts", { ...POST, owner: BOB, text: "now Bob's" });
  await platform.settle();
  assert.match((await platform.adapter.parked(9))[0]?.fault ?? "", /^OWNER_CHANGED/);
  assert.deepEqual([contents(vaults, ADA), contents(vaults, BOB)], [["hello"], []]);
  await platform.write("posts", { ...POST, text: "given back" });
  await platform.settle();
  assert.deepEqual(contents(vaults, ADA), ["given back"]);
  await platform.write("posts", { ...POST, owner: BOB });
  await platform.settle();
  await platform.run("delete from posts");
  await platform.adapter.handleChange({ data: POST, tableName: "posts" });
  await platform.settle();
  assert.deepEqual(contents(vaults, ADA), ["given back"], "Bob removed his row, not Ada's record");
});

test("a row that changes hands before its record was created gets it in the new owner's vault alone", async (t) => {
  const vaults = createTestVaults();
  const platform = await start(t, vaults);
  vaults.failNext({ error: new Error("connection reset") });
  await platform.write("posts", POST);
  await platform.adapter.flush();
  await platform.write("posts", { ...POST, owner: BOB });
  await platform.settle();
  await platform.settle();
  assert.deepEqual([contents(vaults, ADA), contents(vaults, BOB)], [[], ["hello"]]);
});

test("a participant whose vault fails does not keep the others from their references", async (t) => {
  const vaults = createTestVaults();
  const broken = changed(vaults, ({ create }, owner) => ({
    create: (input, options) => (owner === BOB ? Promise.reject(refusal("NOT_FOUND", 404)) : create(input, options)),
  }));
  const platform = await start(t, broken);
  await platform.run("insert into posts (id, text, owner) values ('p1', 'hello', $1)", ADA);
  await platform.adapter.handleChange({ data: { id: "p1" }, tableName: "posts", participants: [BOB, EVE] });
  await platform.settle();
  assert.equal(vaults.records(EVE).length, 1);
  assert.match((await platform.adapter.parked(9))[0]?.fault ?? "", /NOT_FOUND/);
});

test("an owner whose vault does not answer does not hold up the others", async (t) => {
  const vaults = createTestVaults();
  const never = Promise.withResolvers<never>();
  const hanging = changed(vaults, ({ create }, owner) => ({
    create: (input, options) => (owner === BOB ? never.promise : create(input, options)),
  }));
  const platform = await start(t, hanging);
  t.after(() => never.reject(new Error("the end")));
  for (let at = 0; at < 40; at += 1) await platform.write("posts", { ...POST, id: `b${at}`, owner: BOB });
  await platform.write("posts", { ...POST, id: "a" });
  const isSent = async (): Promise<void> => {
    while (vaults.records(ADA).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await isSent();
  assert.deepEqual(contents(vaults, ADA), ["hello"]);
  never.reject(new Error("the end"));
});
