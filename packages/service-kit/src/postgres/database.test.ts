import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openTestDatabase, TEST_SERVER_SETTING } from "../testing/test-database.ts";
import type { Queryable } from "./database.ts";

async function processId(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ readonly pid: number }>({ text: "select pg_backend_pid() as pid", values: [] });
  return rows[0]!.pid;
}

test("a connection that is lost between two statements of a transaction undoes it and is replaced; nothing else ends [F-21]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await database.query({ text: "create table t (n int)", values: [] });
  const lost = database.transaction(async (transaction) => {
    await transaction.query({ text: "insert into t values (1)", values: [] });
    const pid = await processId(transaction);
    await database.query({ text: "select pg_terminate_backend($1)", values: [pid] });
    await wait(200); // in which the loss is reported; without a listener it would end the process
    await transaction.query({ text: "insert into t values (2)", values: [] });
  });
  await assert.rejects(lost);
  const { rows } = await database.query({ text: "select n from t", values: [] });
  assert.deepEqual(rows, []);
  await database.transaction(processId);
});

test("statements whose names differ beyond the 63 characters that PostgreSQL keeps are two statements", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const long = "n".repeat(70);
  await database.transaction(async (transaction) => {
    for (const n of [1, 2, 1]) {
      const { rows } = await transaction.query({ name: `${long}:${n}`, text: `select ${n} as n`, values: [] });
      assert.deepEqual(rows, [{ n }]);
    }
  });
});
