import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { createAdapter } from "./create-adapter.ts";
import { receiveEvent } from "./inbound/webhook.ts";
import { createMappings } from "./mapping/create-mappings.ts";
import { openSqliteState, sqliteQueryable } from "./state/sqlite-state.ts";
import { createSqlTable } from "./sync/sql-table.ts";
import type { Row, TableAccess } from "./sync/table-access.ts";
import { ADA, BOB, POSTS, startTestPlatform, USERS } from "./test-platform.ts";
import { createTestVaults } from "./test-vaults.ts";

function eventOf(members: Partial<WebhookEvent>): WebhookEvent {
  return {
    ...{ eventId: crypto.randomUUID(), id: "g1", dsid: ADA, schemaId: POSTS, data: { content: "hello" } },
    ...{ vaultPublicKey: null, operation: "create", streamVersion: 1, occurredAt: "2026-01-01T00:00:00.000Z" },
    ...members,
  };
}

/** A platform whose notes are owned by their author, by two ways. */
async function startNotes(
  t: TestContext,
  change: (table: TableAccess<never>) => Partial<TableAccess<never>> = () => ({}),
) {
  const state = openSqliteState(":memory:");
  const run = (text: string, ...values: (string | number)[]) => state.query<Row>({ text, values });
  await run("create table users (id text primary key, ename text)");
  await run(
    "create table notes (id text primary key, text text, owner text, author_id text, place text, gone integer)",
  );
  const shared = { database: state, newId: () => crypto.randomUUID(), inTransaction: sqliteQueryable };
  const plain = createSqlTable({
    ...shared,
    table: "notes",
    json: ["place"],
    archiveColumn: "gone",
    columns: { text: "text", owner: "owner", "author.id": "author_id", place: "place" },
  });
  const read: typeof plain.read = async (localId, transaction) => {
    const row = await plain.read(localId, transaction);
    const { id } = (row?.["author"] ?? {}) as { readonly id?: string };
    const on = transaction === undefined ? state : sqliteQueryable(transaction);
    const [author] = await on.query<Row>({ text: "select * from users where id = $1", values: [id ?? ""] });
    return row && { ...row, author: { id, ...author } };
  };
  const notes = { ...plain, read };
  const [usersMap, notesMap] = [
    { name: "displayName", ename: "ename" },
    { text: "content", "place.city": "city", author: "users(author.id),authorId", owner: "owner" },
  ];
  const mappings = createMappings([
    {
      file: "users",
      document: { tableName: "users", schemaId: USERS, ownerEnamePath: "ename", localToUniversalMap: usersMap },
    },
    {
      file: "notes",
      document: {
        ...{ tableName: "notes", schemaId: POSTS, localToUniversalMap: notesMap },
        ownerEnamePath: "owner||users(author.ename)",
      },
    },
  ]);
  const users = createSqlTable({ ...shared, table: "users", columns: { ename: "ename" } });
  const vaults = createTestVaults();
  const adapter = await createAdapter({
    ...{ mappings, state, vaults: vaults.as("a") },
    tables: { users, notes: { ...notes, ...change(notes as never) } as typeof notes },
  });
  t.after(async () => {
    await adapter[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });
  return { adapter, run, vaults };
}

test("a record that would give its row to somebody else, by any way of the owner path, makes and changes no row", async (t) => {
  const { adapter, run } = await startNotes(t);
  await receiveEvent(adapter.sync, eventOf({ id: "ada", schemaId: USERS, data: { displayName: "Ada", ename: ADA } }));
  const before = await run("select * from notes");
  await receiveEvent(adapter.sync, eventOf({ dsid: BOB, data: { content: "by relation", authorId: "ada" } }));
  await receiveEvent(adapter.sync, eventOf({ dsid: BOB, id: "g2", data: { content: "by name", owner: ADA } }));
  assert.deepEqual(await run("select * from notes"), before);
  await receiveEvent(adapter.sync, eventOf({ dsid: BOB, id: "g3", data: { content: "Bob's own" } }));
  const stolen = { content: "Ada said this", authorId: "ada" };
  await receiveEvent(
    adapter.sync,
    eventOf({ dsid: BOB, id: "g3", streamVersion: 2, operation: "update", data: stolen }),
  );
  const rows = await run("select text, author_id from notes");
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ text: "Bob's own", author_id: null }],
  );
  assert.equal((await adapter.status()).counts.refused, 3);
  await receiveEvent(adapter.sync, eventOf({ id: "g4", data: { content: "Ada's own", authorId: "ada" } }));
  assert.equal((await run("select * from notes")).length, 2);
});

test("what a JSON column holds beside the mapped members stays", async (t) => {
  const { adapter, run } = await startNotes(t);
  await receiveEvent(adapter.sync, eventOf({ data: { content: "hello", city: "Vienna" } }));
  await run(`update notes set place = '{"city":"Vienna","zip":"1010","deep":{"x":1}}'`);
  const data = { content: "hello", city: "Graz" };
  await receiveEvent(adapter.sync, eventOf({ streamVersion: 2, operation: "update", data }));
  const [row] = await run("select place from notes");
  assert.deepEqual(JSON.parse(String(row?.["place"])), { city: "Graz", zip: "1010", deep: { x: 1 } });
});

test("a row that was archived comes back when its record does", async (t) => {
  const { adapter, run } = await startNotes(t);
  await receiveEvent(adapter.sync, eventOf({}));
  await receiveEvent(adapter.sync, eventOf({ streamVersion: 2, operation: "delete", data: {} }));
  assert.equal((await run("select gone from notes"))[0]?.["gone"], 1);
  await receiveEvent(adapter.sync, eventOf({ streamVersion: 3, operation: "create" }));
  const rows = await run("select gone, text from notes");
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ gone: 0, text: "hello" }],
  );
});

test("work that an event started and that outlives its transaction is not taken for an echo", async (t) => {
  const later = Promise.withResolvers<void>();
  let afterwards: Promise<void> | undefined;
  const started = await startNotes(t, (table) => ({
    create: (row, transaction) => {
      afterwards = later.promise.then(() => started.adapter.handleChange({ data: { id: "n9" }, tableName: "notes" }));
      return table.create(row, transaction);
    },
  }));
  await receiveEvent(started.adapter.sync, eventOf({}));
  later.resolve();
  await afterwards;
  assert.equal((await started.adapter.status()).waiting, 1);
});

test("a record that claims a URL for its own file does not turn that URL into its file in another owner's records", async () => {
  const vaults = createTestVaults();
  await using platform = await startTestPlatform("a", vaults);
  const photo = "https://pictures.example/ada.png";
  const file = await vaults
    .as("b")
    .vault(BOB)
    .create({ ontology: "ds-file-v1", payload: { publicUrl: photo } }, { idempotencyKey: "f" });
  const avatarUrl = `ds://file?id=${BOB}/${file.id}`;
  await receiveEvent(
    platform.adapter.sync,
    eventOf({ id: "bob", dsid: BOB, schemaId: USERS, data: { ename: BOB, avatarUrl } }),
  );
  assert.deepEqual(
    (await platform.run("select photo from users")).map((row) => row["photo"]),
    [photo],
  );
  await platform.write("users", { id: "u1", ename: ADA, name: "Ada", photo });
  await platform.settle();
  assert.equal(vaults.records(ADA)[0]?.parsed["avatarUrl"], photo);
});

test("an event that was applied already asks no vault for files, and one with many asks four at once", async () => {
  const vaults = createTestVaults();
  const gets = { now: 0, most: 0, all: 0 };
  const as: typeof vaults.as = (name) => ({
    vault: (owner) => ({
      ...vaults.as(name).vault(owner),
      get: async () => {
        gets.now += 1;
        gets.all += 1;
        gets.most = Math.max(gets.most, gets.now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        gets.now -= 1;
        return null;
      },
    }),
  });
  await using platform = await startTestPlatform("a", { ...vaults, as });
  const avatarUrl = Array.from({ length: 20 }, () => `ds://file?id=${ADA}/${crypto.randomUUID()}`);
  const event = eventOf({ schemaId: USERS, data: { displayName: "Ada", avatarUrl } });
  await receiveEvent(platform.adapter.sync, event).catch(() => {});
  assert.deepEqual([gets.most, gets.all], [4, 20]);
  await platform.run("delete from ds_inbox");
  await receiveEvent(platform.adapter.sync, eventOf({ ...event, data: { displayName: "Ada" } }));
  const before = gets.all;
  assert.equal(await receiveEvent(platform.adapter.sync, event), "duplicate");
  assert.equal(gets.all, before);
});
