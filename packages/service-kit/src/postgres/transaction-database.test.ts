import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "../testing/test-database.ts";
import type { Queryable } from "./database.ts";
import { createTransactionDatabase } from "./transaction-database.ts";

const insert = (n: number) => ({ text: "insert into number (n) values ($1)", values: [n] });

async function numbersOf(database: Queryable): Promise<readonly number[]> {
  const { rows } = await database.query<{ n: number }>({ text: "select n from number order by n", values: [] });
  return rows.map(({ n }) => n);
}

async function openNumbers() {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await database.query({ text: "create table number (n int primary key)", values: [] });
  return database;
}

test("createTransactionDatabase(): a failed statement rolls back alone, and nothing is durable before the commit [V20]", async () => {
  await using database = await openNumbers();
  await database.transaction(async (transaction) => {
    const within = createTransactionDatabase(transaction);
    const settled = await Promise.allSettled([1, 2, 1, 3].map((n) => within.query(insert(n))));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual([await numbersOf(within), await numbersOf(database)], [[1, 2, 3], []]);
  });
  assert.deepEqual(await numbersOf(database), [1, 2, 3]);
});

test("createTransactionDatabase(): a nested transaction commits or rolls back as a whole, also when its work ignores a failure [V20]", async () => {
  await using database = await openNumbers();
  await database.transaction(async (transaction) => {
    const within = createTransactionDatabase(transaction);
    await within.query(insert(1));
    assert.equal(await within.transaction(async (part) => (await part.query(insert(2))).rowCount), 1);
    const failing = within.transaction(async (part) => {
      await part.query(insert(3));
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    const passedOver = await within.transaction(async (part) => {
      await part.query(insert(4));
      return part.query(insert(1)).catch(() => "taken");
    });
    assert.equal(passedOver, "taken");
    await within.query(insert(5));
  });
  assert.deepEqual(await numbersOf(database), [1, 2, 5]);
});
