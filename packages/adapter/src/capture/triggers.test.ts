import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { createChanges } from "../state/changes.ts";
import type { Queryable, StateDatabase } from "../state/state-database.ts";
import { TEST_STATES } from "../state/test-states.ts";
import { inInboundTransaction } from "../sync/origin.ts";
import { TEST_MAPPINGS } from "../test-platform.ts";
import { installCapture } from "./install-capture.ts";
import { captureStatements } from "./triggers.ts";

async function setup(
  t: TestContext,
  open: (serverUrl: string | undefined) => Promise<{ readonly database: StateDatabase<unknown> } & AsyncDisposable>,
) {
  const state = await open(process.env[TEST_SERVER_SETTING]);
  t.after(() => state[Symbol.asyncDispose]());
  const { database } = state;
  await run(database, "create table users (id integer primary key, name text)");
  await run(database, "create table posts (id text primary key, text text)");
  await installCapture(database, { mappings: TEST_MAPPINGS });
  return database;
}

const run = (on: Queryable, text: string) => on.query({ text, values: [] });

async function noted(database: StateDatabase<unknown>): Promise<readonly string[]> {
  const rows = await database.query<{ readonly place: string }>({
    text: "select table_name || ' ' || local_id || ' ' || tail as place from ds_change order by 1",
    values: [],
  });
  return rows.map(({ place }) => place);
}

for (const [kind, open] of Object.entries(TEST_STATES)) {
  test(`${kind}: every statement that changes a row notes it, whoever makes it, in its own transaction`, async (t) => {
    const database = await setup(t, open);
    await run(database, "insert into users values (1, 'Ada'), (2, 'Bob'), (3, 'Eve')");
    await run(database, "update users set name = name || '!' where id < 3");
    await run(database, "delete from users where id = 3");
    await run(database, "update users set id = 9 where id = 1");
    assert.deepEqual(await noted(database), ["users 1 3", "users 2 2", "users 3 2", "users 9 1"]);
    const lost = database.inTransaction(async (session) => {
      await run(session, "insert into posts values ('p', 'never')");
      throw new Error("no");
    });
    await assert.rejects(lost);
    assert.equal((await noted(database)).length, 4);
    assert.equal((await createChanges(database).claim(9, { nowMs: Date.now() + 1_000, leaseMs: 1 })).length, 4);
  });

  test(`${kind}: what an event of a vault changes is not noted, and what comes after it is`, async (t) => {
    const database = await setup(t, open);
    await inInboundTransaction(database, (session) => run(session, "insert into posts values ('p', 'from the vault')"));
    assert.deepEqual(await noted(database), []);
    await run(database, "update posts set text = 'edited here'");
    assert.deepEqual(await noted(database), ["posts p 1"]);
  });

  test(`${kind}: the triggers can be made again`, async (t) => {
    const database = await setup(t, open);
    const install = () => installCapture(database, { mappings: TEST_MAPPINGS });
    // As several processes do that start together.
    await Promise.all([install(), install(), install()]);
    await run(database, "insert into posts values ('p', 'once')");
    assert.deepEqual(await noted(database), ["posts p 1"]);
  });
}

test("a name that is not a plain name gets no trigger", () => {
  const idColumns = { posts: "id'); drop table posts; --" };
  assert.throws(() => captureStatements({ mappings: TEST_MAPPINGS, dialect: "postgres", idColumns }), TypeError);
});
