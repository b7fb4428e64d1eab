import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { createChanges, noteChange } from "./changes.ts";
import { createCursors } from "./cursors.ts";
import { createFileUris } from "./file-uris.ts";
import { takeIn } from "./inbox.ts";
import { claimIntents, createIntents, type Intent } from "./intents.ts";
import { createIdStore, type Pair } from "./pairs.ts";
import { notePending, releasePending } from "./pending.ts";
import { createReferences } from "./references.ts";
import type { StateDatabase } from "./state-database.ts";
import { createStateTables } from "./state-tables.ts";
import { TEST_STATES } from "./test-states.ts";

type Contract = (database: StateDatabase<unknown>) => Promise<void>;

const ROW = { table: "posts", localId: "1" };
const CLAIM = { nowMs: 1_000, leaseMs: 500 };

function pairOf(localId: string, others: Partial<Pair> = {}): Omit<Pair, "revision"> {
  const flags = { held: [], hasOwnWrites: false, removal: "none" as const };
  return { table: "posts", localId, owner: "@a", globalId: `g${localId}`, known: "{}", ...flags, ...others };
}

const CONTRACT: Readonly<Record<string, Contract>> = {
  "making the tables twice changes nothing": async (database) => {
    await createIdStore(database).save(pairOf("1"), 1);
    await createStateTables(database);
    assert.ok(await createIdStore(database).findByLocal(ROW));
  },
  "a pair is found from both sides, and equal local ids of two tables are two": async (database) => {
    const ids = createIdStore(database);
    await ids.save(pairOf("1"), 1);
    await ids.save(pairOf("1", { table: "users", globalId: "u1" }), 1);
    assert.equal((await ids.findByLocal(ROW))?.globalId, "g1");
    assert.equal((await ids.findByGlobal({ owner: "@a", globalId: "u1" }))?.table, "users");
    assert.equal(await ids.findByGlobal({ owner: "@b", globalId: "u1" }), undefined);
    assert.deepEqual([...(await ids.globalIds("posts", ["1", "2", "1"]))], [["1", "g1"]]);
    assert.deepEqual([...(await ids.localIds("users", ["u1", "g1"], "@a"))], [["u1", "1"]]);
  },
  "many ids are looked up in parts": async (database) => {
    const ids = createIdStore(database);
    for (const localId of ["0", "700", "1299"]) await ids.save(pairOf(localId), 1);
    const asked = Array.from({ length: 1_300 }, (_, at) => String(at));
    assert.equal((await ids.globalIds("posts", asked)).size, 3);
  },
  "what is known of a record advances only from the revision that was read": async (database) => {
    const ids = createIdStore(database);
    await ids.save(pairOf("1"), 1);
    const pair = (await ids.findByLocal(ROW)) as Pair;
    assert.equal(await ids.advance(pair, { known: '{"a":1}', held: ["b"] }), true);
    assert.equal(await ids.advance(pair, { known: '{"a":2}' }), false);
    const { known, held } = (await ids.findByLocal(ROW)) as Pair;
    assert.deepEqual({ known, held }, { known: '{"a":1}', held: ["b"] });
  },
  "a row has one record: joining it to a second is refused until the first is removed": async (database) => {
    const ids = createIdStore(database);
    await ids.save(pairOf("1"), 1);
    await assert.rejects(ids.save(pairOf("1", { globalId: "other" }), 1));
    await ids.advance((await ids.findByLocal(ROW)) as Pair, { removal: "local" });
    await ids.save(pairOf("1", { globalId: "other" }), 1);
    assert.equal((await ids.findByLocal(ROW))?.globalId, "other");
  },
  "changes of one row become one, which is leased to one": async (database) => {
    const changes = createChanges(database);
    await noteChange(database, { ...ROW, nowMs: 900, snapshot: '{"a":1}' });
    await noteChange(database, { ...ROW, nowMs: 900, snapshot: '{"a":2}', participants: ["@b"] });
    const [change, ...others] = await changes.claim(10, CLAIM);
    assert.deepEqual(others, []);
    assert.deepEqual([change?.tail, change?.snapshot, change?.participants], [2, { a: 2 }, ["@b"]]);
    assert.deepEqual(await changes.claim(10, CLAIM), []);
    assert.equal((await changes.claim(10, { ...CLAIM, nowMs: 1_500 })).length, 1, "a lease that ended");
  },
  "a change that comes while another is worked on is due again, and who lost the lease settles nothing": async (
    database,
  ) => {
    const changes = createChanges(database);
    await noteChange(database, { ...ROW, nowMs: 900 });
    const [change] = await changes.claim(1, CLAIM);
    await noteChange(database, { ...ROW, nowMs: 1_000 });
    assert.deepEqual(await changes.claim(1, CLAIM), []);
    await changes.complete({ ...change!, lease: "another" }, 1_000);
    await changes.complete(change!, 1_000);
    const [again] = await changes.claim(1, CLAIM);
    assert.equal(again?.tail, 2);
    await changes.complete(again!, 1_000);
    assert.deepEqual(await changes.count(), { waiting: 0, parked: 0 });
  },
  "a parked change waits until it is retried or the row changes": async (database) => {
    const changes = createChanges(database);
    for (const localId of ["1", "2"]) await noteChange(database, { table: "posts", localId, nowMs: 900 });
    for (const change of await changes.claim(2, CLAIM)) await changes.park(change, "NOT_JSON");
    assert.deepEqual(await changes.claim(9, { ...CLAIM, nowMs: 1e9 }), []);
    assert.deepEqual(await changes.parked(1), [{ ...ROW, fault: "NOT_JSON" }]);
    assert.equal(await changes.retry(1_000, ROW), 1);
    assert.equal((await changes.claim(9, CLAIM)).length, 1);
    await noteChange(database, { table: "posts", localId: "2", nowMs: 1_000 });
    assert.equal((await changes.claim(9, CLAIM)).length, 1);
    assert.equal(await changes.retry(1_000), 0);
  },
  "a change that is parked while it changed again is due again": async (database) => {
    const changes = createChanges(database);
    await noteChange(database, { ...ROW, nowMs: 900 });
    const [change] = await changes.claim(1, CLAIM);
    await noteChange(database, { ...ROW, nowMs: 1_000 });
    await changes.park(change!, "NOT_JSON");
    assert.equal((await changes.claim(1, CLAIM)).length, 1);
  },
  "of events of one record only newer ones are taken in": async (database) => {
    const event = (streamVersion: number, eventId: string) => ({ dsid: "@a", id: "g", eventId, streamVersion });
    assert.equal(await takeIn(database, event(2, "e2")), "new");
    assert.equal(await takeIn(database, event(2, "e2")), "duplicate");
    assert.equal(await takeIn(database, event(1, "e1")), "stale");
    assert.equal(await takeIn(database, event(5, "e5")), "new");
  },
  "rows that waited for a pair are due when it comes": async (database) => {
    await notePending(database, ROW, { side: "local", targets: [{ table: "users", id: "7" }] });
    await notePending(database, ROW, { side: "local", targets: [{ table: "users", id: "7" }] });
    await notePending(
      database,
      { table: "posts", localId: "2" },
      { side: "global", targets: [{ table: "users", id: "gu" }] },
    );
    await releasePending(database, [{ table: "users", localId: "7", globalId: "gu" }], 900);
    const due = await createChanges(database).claim(9, CLAIM);
    assert.deepEqual(due.map(({ localId, pull }) => [localId, pull]).sort(), [
      ["1", false],
      ["2", true],
    ]);
  },
  "intents, references, files and cursors are stored": async (database) => {
    const intents = createIntents(database);
    const input = { payload: { a: 1 }, acl: ["@a", "@b"] };
    const intent = {
      ...ROW,
      owner: "@a",
      idempotencyKey: "k",
      input,
      globalId: undefined,
      madeAtMs: 1_700_000_000_000,
    };
    assert.deepEqual([...(await claimIntents(database, [intent]))], ["1"]);
    assert.deepEqual(await intents.find(ROW), intent);
    assert.deepEqual(await intents.ofOwner("@a"), [intent]);
    await intents.remove({ ...intent, idempotencyKey: "another" });
    assert.deepEqual(await intents.find(ROW), intent);
    await intents.remove(intent);
    assert.equal(await intents.find(ROW), undefined);
    const references = createReferences(database);
    await references.want(ROW, ["@b", "@c"]);
    await references.want(ROW, ["@b"]);
    const [first, second] = await references.open(ROW);
    await references.settle(first!, "r");
    assert.deepEqual(await references.open(ROW), [second]);
    const [files, cursors] = [createFileUris(database), createCursors(database)];
    await files.save("key", "ds://file?id=1");
    assert.equal(await files.find("key"), "ds://file?id=1");
    for (const position of ["1", "2"]) await cursors.save("feed", position);
    assert.equal(await cursors.find("feed"), "2");
  },
  "of claims of one row at once one wins, and none when the row has a record": async (database) => {
    const intentOf = (localId: string): Intent => ({
      ...{ table: "posts", localId, owner: "@a", input: { payload: {} }, globalId: undefined, madeAtMs: 1 },
      idempotencyKey: crypto.randomUUID(),
    });
    const rows = Array.from({ length: 600 }, (_, at) => intentOf(String(at)));
    await createIdStore(database).save(pairOf("7"), 1);
    const claims = await Promise.all(
      [1, 2, 3].map(() =>
        claimIntents(
          database,
          rows.map(({ localId }) => intentOf(localId)),
        ),
      ),
    );
    const all = claims.flatMap((claimed) => [...claimed]);
    assert.equal(all.length, 599);
    assert.equal(new Set(all).size, 599);
    assert.equal(await createIntents(database).find({ table: "posts", localId: "7" }), undefined);
  },
  "an id of two owners is the one of the asking owner, else the one that was saved first": async (database) => {
    const ids = createIdStore(database);
    await ids.save(pairOf("of-ada", { owner: "@z-ada", globalId: "g" }), 1);
    await ids.save(pairOf("of-eve", { owner: "@a-eve", globalId: "g" }), 2);
    for (const [owner, localId] of [
      ["@z-ada", "of-ada"],
      ["@a-eve", "of-eve"],
      ["@bob", "of-ada"],
    ] as const)
      assert.deepEqual([...(await ids.localIds("posts", ["g"], owner))], [["g", localId]]);
  },
  "a flag is set whatever the revision is, and a reader of the former revision is refused": async (database) => {
    const ids = createIdStore(database);
    await ids.save(pairOf("1"), 1);
    const before = (await ids.findByLocal(ROW)) as Pair;
    await ids.mark(before, { hasOwnWrites: true });
    await ids.mark(before, { removal: "remote" });
    const { hasOwnWrites, removal } = (await ids.findByLocal(ROW)) as Pair;
    assert.deepEqual({ hasOwnWrites, removal }, { hasOwnWrites: true, removal: "remote" });
    assert.equal(await ids.advance(before, { known: "{}" }), false);
  },
  "a transaction that fails leaves nothing, and what others write meanwhile is not in it": async (database) => {
    const ids = createIdStore(database);
    const failed = database.inTransaction(async (session) => {
      await createIdStore(session).save(pairOf("1"), 1);
      throw new Error("no");
    });
    await Promise.all([assert.rejects(failed), ids.save(pairOf("2"), 1)]);
    assert.equal(await ids.findByLocal(ROW), undefined);
    assert.ok(await ids.findByLocal({ ...ROW, localId: "2" }));
  },
};

for (const [kind, open] of Object.entries(TEST_STATES)) {
  for (const [promise, holds] of Object.entries(CONTRACT)) {
    test(`${kind}: ${promise}`, async (t: TestContext) => {
      const state = await open(process.env[TEST_SERVER_SETTING]);
      t.after(() => state[Symbol.asyncDispose]());
      await holds(state.database);
    });
  }
}
