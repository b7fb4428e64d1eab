import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "../testing/test-database.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrations.ts";

const ROWS = 100_000;
const TABLE = `create table thing (id integer primary key, text text not null);
insert into thing select n, 'text ' || n from generate_series(1, ${ROWS}) as n;
`;
const ONLINE = `-- online: a new column and an index
alter table thing add column if not exists size integer;
-- batch
update thing set size = length(text) where id in (select id from thing where size is null limit 20000);
create index concurrently if not exists thing_size on thing (size);
`;

let database: TestDatabase;
let directory: string;

before(async () => {
  database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  directory = await mkdtemp(join(tmpdir(), "dataspace-online-"));
  await writeFile(join(directory, "001-initial.sql"), TABLE);
  await migrate(database, source());
});
after(async () => {
  await database[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const source = () => ({ service: "vault", directory: pathToFileURL(directory) });

function another(): Database {
  const limits = { maxConnections: 2, statementTimeoutMs: 5_000, connectTimeoutMs: 5_000, applicationName: "online" };
  return openDatabase({ url: database.url, ...limits }, () => undefined);
}

async function ask<Row>(text: string): Promise<readonly Row[]> {
  return (await database.query<Row>({ text, values: [] })).rows;
}

test("a migration that finds its table locked lets requests pass, and succeeds once the lock is gone", async () => {
  await writeFile(join(directory, "002-column.sql"), "alter table thing add column note text;\n");
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const reader = database.transaction(async (transaction) => {
    await transaction.query({ text: "select 1 from thing limit 1", values: [] });
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  const migrating = migrate(database, source());
  // Each of these would wait for the reader's end behind an ALTER TABLE that waits without limit.
  for (let request = 0; request < 20; request += 1) {
    await database.query({ text: "update thing set text = text where id = $1", values: [request] });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  held.resolve();
  await reader;
  assert.deepEqual((await migrating).applied, ["002-column.sql"]);
});

test("an online migration that is killed in the middle is resumed, drops the invalid index, and runs once", async () => {
  await writeFile(join(directory, "003-online.sql"), ONLINE);
  // An old transaction keeps the concurrent build waiting, so that it can be killed there.
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const old = database.transaction(async (transaction) => {
    await transaction.query({ text: "set transaction isolation level repeatable read", values: [] });
    await transaction.query({ text: "select 1 from pg_class limit 1", values: [] });
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  await using first = another();
  const killed = assert.rejects(migrate(first, source()));
  const find = "select pid from pg_stat_activity where application_name = 'online' and query like 'create index%'";
  while ((await ask(find)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await ask(`select pg_terminate_backend(pid) from (${find}) as running`);
  await killed;
  held.resolve();
  await old;
  assert.deepEqual(await ask("select indisvalid as v from pg_index where indexrelid = 'thing_size'::regclass"), [
    { v: false },
  ]);

  let requests = 0;
  let isMigrating = true;
  const load = (async () => {
    for (; isMigrating; requests += 1) await ask("update thing set text = text where id = 7");
  })();
  await using second = another();
  assert.deepEqual((await migrate(second, source())).applied, ["003-online.sql"]);
  isMigrating = false;
  await load;
  assert.ok(requests > 0, "requests run beside it");
  assert.deepEqual(await ask("select count(*) as n from thing where size is null"), [{ n: 0 }]);
  assert.deepEqual(await ask("select indisvalid as v from pg_index where indexrelid = 'thing_size'::regclass"), [
    { v: true },
  ]);
  assert.deepEqual((await migrate(database, source())).applied, []);
  assert.deepEqual(await second.query({ text: "show statement_timeout", values: [] }).then(({ rows }) => rows), [
    { statement_timeout: "5s" },
  ]);
});

test("of two migrators at once one builds an index concurrently, and the other waits without preventing it", async () => {
  await writeFile(
    join(directory, "004-index.sql"),
    "-- online: a slow index\nselect pg_sleep(1);\ncreate index concurrently if not exists thing_text on thing (text);\n",
  );
  await using first = another();
  await using second = another();
  const building = migrate(first, source());
  const find = "select 1 from pg_stat_activity where application_name = 'online' and query like '%pg_sleep%'";
  while ((await ask(find)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const results = await Promise.all([building, migrate(second, source())]);
  assert.deepEqual(results.map(({ applied }) => applied).toSorted(), [[], ["004-index.sql"]]);
});

test("an online migration that fails says that its earlier statements stay", async () => {
  const broken = await mkdtemp(join(tmpdir(), "dataspace-online-"));
  await writeFile(
    join(broken, "001-broken.sql"),
    "-- online: its second statement fails\ncreate table if not exists stays (id integer);\nselect * from nowhere;\n",
  );
  await assert.rejects(migrate(database, { service: "broken", directory: pathToFileURL(broken) }), {
    exitCode: 78,
    message: /001-broken\.sql of broken failed; what its earlier statements did stays, .*: relation "nowhere" does not/,
  });
  assert.deepEqual(await ask("select id from stays"), []);
  await rm(broken, { recursive: true });
});
