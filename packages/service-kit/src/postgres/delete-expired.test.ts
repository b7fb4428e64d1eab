import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "../testing/test-database.ts";
import { deleteExpired } from "./delete-expired.ts";

const NOW = "2026-01-01T00:00:00.000Z";
let database: TestDatabase;

before(async () => {
  database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await run(`create table visit (id integer primary key, expires_at timestamptz not null)`);
  await run(`create index on visit (expires_at)`);
});
after(() => database[Symbol.asyncDispose]());

function run(text: string): Promise<unknown> {
  return database.query({ text, values: [] });
}

/** Rows 1 to n expire one second apart; at NOW all of them have expired. */
async function fill(n: number, over = 10): Promise<void> {
  await run("truncate visit");
  await run(
    `insert into visit select n, timestamptz '${NOW}' + (n - ${over}) * interval '1 s' from generate_series(1, ${n}) n`,
  );
}

async function left(): Promise<readonly number[]> {
  const { rows } = await database.query<{ id: number }>({ text: "select id from visit order by id", values: [] });
  return rows.map(({ id }) => id);
}

test("deleteExpired(): the oldest expired rows are deleted first, up to a limit, and others stay", async () => {
  await fill(12);
  const expired = { table: "visit", before: NOW, atMost: 6 };
  assert.equal(await deleteExpired(database, expired), 6);
  assert.deepEqual(await left(), [7, 8, 9, 10, 11, 12]);
  assert.equal(await deleteExpired(database, expired), 4);
  assert.equal(await deleteExpired(database, expired), 0);
  assert.deepEqual(await left(), [11, 12]);
});

test("deleteExpired(): a locked row is skipped, without waiting", async () => {
  await fill(4);
  await database.transaction(async (held) => {
    await held.query({ text: "select from visit where id = 2 for update", values: [] });
    assert.equal(await deleteExpired(database, { table: "visit", before: NOW, atMost: 10 }), 3);
  });
  assert.deepEqual(await left(), [2]);
});

test("deleteExpired(): of a large table only the deleted rows are read", async () => {
  await fill(20_000, 10_000);
  await run("analyze visit");
  await database.transaction(async (transaction) => {
    const wholeReads = async () => {
      const text = "select seq_scan from pg_stat_xact_user_tables where relname = 'visit'";
      return (await transaction.query<{ seq_scan: number }>({ text, values: [] })).rows[0]?.seq_scan;
    };
    const before = await wholeReads();
    assert.equal(await deleteExpired(transaction, { table: "visit", before: NOW, atMost: 1_000 }), 1_000);
    assert.equal(await wholeReads(), before);
  });
});
