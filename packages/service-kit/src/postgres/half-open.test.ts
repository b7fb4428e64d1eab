import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { storageFault } from "../http/error-answer.ts";
import { startStallingProxy } from "../testing/stalling-proxy.ts";
import { openTestDatabase, TEST_SERVER_SETTING } from "../testing/test-database.ts";
import { openDatabase } from "./database.ts";

const ONE = { text: "select 1 as one", values: [] };
/** Far more than the limits of these tests in total. */
const PATIENCE_MS = 20_000;

async function setup(t: TestContext, statementTimeoutMs = 300) {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const direct = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  const proxy = opened.use(await startStallingProxy(direct.url));
  const limits = { maxConnections: 2, statementTimeoutMs, connectTimeoutMs: 500, applicationName: "half-open" };
  const database = opened.use(openDatabase({ url: proxy.url, ...limits }, () => undefined));
  return { direct, proxy, database };
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = wait(PATIENCE_MS, undefined, { ref: false }).then(() => assert.fail("it never ended"));
  return Promise.race([work, late]);
}

test("a statement on a connection that a firewall dropped is refused, and the next one has a new connection [V25]", async (t) => {
  const { proxy, database } = await setup(t);
  await Promise.all([database.query(ONE), database.query(ONE)]);
  proxy.stall();
  const outcomes = await inTime(Promise.allSettled([database.query(ONE), database.query(ONE)]));
  const codes = outcomes.map((outcome) =>
    outcome.status === "rejected" ? storageFault(outcome.reason)?.code : "answered",
  );
  assert.deepEqual(codes, ["STORAGE_UNAVAILABLE", "STORAGE_UNAVAILABLE"]);
  assert.equal((await inTime(database.query(ONE))).rowCount, 1);
});

test("a transaction on a connection that a firewall dropped is refused, and gives its place in the pool back [V25]", async (t) => {
  const { proxy, database } = await setup(t);
  for (let round = 0; round < 3; round += 1) {
    const lost = database.transaction(async (transaction) => {
      await transaction.query(ONE);
      proxy.stall();
      await transaction.query(ONE);
    });
    await assert.rejects(inTime(lost));
  }
  assert.equal((await inTime(database.transaction((transaction) => transaction.query(ONE)))).rowCount, 1);
});

test("while new connections are dropped too, each statement is refused; afterwards they work [V25]", async (t) => {
  const { proxy, database } = await setup(t);
  await database.query(ONE);
  proxy.stall({ newOnes: true });
  for (let round = 0; round < 3; round += 1) await assert.rejects(inTime(database.query(ONE)));
  proxy.allowNewOnes();
  assert.equal((await inTime(database.query(ONE))).rowCount, 1);
});

test("the server ends a transaction whose client went silent, so that its locks are free again [V25]", async (t) => {
  const { direct, proxy, database } = await setup(t);
  const read = { text: "select current_setting('idle_in_transaction_session_timeout') as limit", values: [] };
  assert.equal((await database.query<{ limit: string }>(read)).rows[0]?.limit, "30s");
  await direct.query({ text: "create table t (n int)", values: [] });
  const text = "set local idle_in_transaction_session_timeout = 200";
  const lost = database.transaction(async (transaction) => {
    await transaction.query({ text, values: [] });
    await transaction.query({ text: "lock table t", values: [] });
    proxy.stall();
    await transaction.query(ONE);
  });
  await assert.rejects(inTime(lost));
  assert.equal((await inTime(direct.query({ text: "select n from t", values: [] }))).rowCount, 0);
});

test("a statement that is said to be unbounded outlives the limit of statements [P4]", async (t) => {
  const { database } = await setup(t, 100);
  const longRunning = database.transaction(async (transaction) => {
    await transaction.query({ text: "set local statement_timeout = 0", values: [] });
    return transaction.query({ text: "select pg_sleep(4)", values: [], unbounded: true });
  });
  assert.equal((await inTime(longRunning)).rowCount, 1);
});
