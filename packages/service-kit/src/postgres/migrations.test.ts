import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "../testing/test-database.ts";
import { type Database, openDatabase } from "./database.ts";
import { assertMigrated, migrate } from "./migrations.ts";

const INITIAL =
  "create table thing (id integer primary key, text text not null);\ninsert into thing values (1, 'one');\n";
const SECOND = "alter table thing add column note text;\n";

let server: TestDatabase;

before(async () => {
  server = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
});
after(() => server[Symbol.asyncDispose]());

interface Setup extends AsyncDisposable {
  readonly database: Database;
  readonly another: (statementTimeoutMs?: number) => Database;
  readonly source: { readonly service: string; readonly directory: URL };
  readonly put: (name: string, sql: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly count: (text: string) => Promise<number>;
}

/** A database and a directory of migrations for one test. */
async function setup(files: Readonly<Record<string, string>>): Promise<Setup> {
  const database = await openTestDatabase(server.url);
  const directory = await mkdtemp(join(tmpdir(), "dataspace-migrations-"));
  const opened: Database[] = [];
  const another = (statementTimeoutMs = 5_000) => {
    const limits = { maxConnections: 2, statementTimeoutMs, connectTimeoutMs: 5_000, applicationName: "test" };
    const other = openDatabase({ url: database.url, ...limits }, () => undefined);
    opened.push(other);
    return other;
  };
  const put = (name: string, sql: string) => writeFile(join(directory, name), sql);
  for (const [name, sql] of Object.entries(files)) await put(name, sql);
  return {
    database,
    another,
    source: { service: "vault", directory: pathToFileURL(directory) },
    put,
    remove: (name) => rm(join(directory, name)),
    count: async (text) => (await database.query<{ n: number }>({ text, values: [] })).rows[0]?.n ?? -1,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((each) => each[Symbol.asyncDispose]()));
      await database[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

test("migrate(): applies the files in order, each once, and records them", async () => {
  await using s = await setup({ "002-note.sql": SECOND, "001-initial.sql": INITIAL });
  assert.deepEqual(await migrate(s.database, s.source), { applied: ["001-initial.sql", "002-note.sql"], skipped: [] });
  assert.deepEqual(await migrate(s.database, s.source), { applied: [], skipped: [] });
  assert.equal(await s.count("select count(*) as n from thing where note is null"), 1);
  assert.equal(await s.count("select count(*) as n from schema_migration where service = 'vault'"), 2);
  await assertMigrated(s.database, s.source);
});

test("assertMigrated(): names what is pending and changes nothing", async () => {
  await using s = await setup({ "001-initial.sql": INITIAL, "002-note.sql": SECOND });
  await assert.rejects(assertMigrated(s.database, s.source), {
    exitCode: 78,
    message: /migrations of vault: 001-initial\.sql, 002-note\.sql/,
  });
  assert.equal(await s.count("select count(*) as n from pg_tables where schemaname = 'public'"), 0);
});

test("migrate(): a file changed after it was applied is refused by name", async () => {
  await using s = await setup({ "001-initial.sql": INITIAL });
  await migrate(s.database, s.source);
  await s.put("001-initial.sql", `${INITIAL}-- changed\n`);
  const refusal = { exitCode: 78, message: /001-initial\.sql of vault was changed/ };
  await assert.rejects(migrate(s.database, s.source), refusal);
  await assert.rejects(assertMigrated(s.database, s.source), refusal);
});

test("migrate(): a database newer than the build is refused, and another service's migrations do not count", async () => {
  await using s = await setup({ "001-initial.sql": INITIAL, "002-note.sql": SECOND });
  await migrate(s.database, s.source);
  await s.remove("002-note.sql");
  const refusal = { exitCode: 78, message: /newer than this build: it has migration 002-note\.sql of vault/ };
  await assert.rejects(migrate(s.database, s.source), refusal);
  await assert.rejects(assertMigrated(s.database, s.source), refusal);
  await s.put("001-initial.sql", "create table registry_thing (id integer);");
  const registry = { ...s.source, service: "registry" };
  assert.deepEqual((await migrate(s.database, registry)).applied, ["001-initial.sql"]);
});

test("migrate(): a failing file is named, leaves nothing behind, and the files before it stay", async () => {
  await using s = await setup({
    "001-initial.sql": INITIAL,
    "002-broken.sql": "create table half (id integer); insert into nowhere values (1);",
    "003-note.sql": SECOND,
  });
  await assert.rejects(migrate(s.database, s.source), {
    exitCode: 78,
    message: /Migration 002-broken\.sql of vault failed and left nothing behind: relation "nowhere" does not exist/,
  });
  assert.equal(await s.count("select count(*) as n from pg_tables where tablename = 'half'"), 0);
  assert.equal(await s.count("select max(number) as n from schema_migration"), 1);
  await s.put("002-broken.sql", "create table half (id integer);");
  assert.deepEqual((await migrate(s.database, s.source)).applied, ["002-broken.sql", "003-note.sql"]);
});

test("migrate(): of several migrators at once each file is applied by exactly one, and all succeed", async () => {
  await using s = await setup({
    "001-initial.sql": `select pg_sleep(0.1);\n${INITIAL}`,
    "002-note.sql": SECOND,
    "003-more.sql": "insert into thing values (2, 'two');",
  });
  const migrators = [s.database, s.another(), s.another(), s.another()];
  const results = await Promise.all(migrators.map((database) => migrate(database, s.source)));
  const applied = results.flatMap((result) => result.applied).sort();
  assert.deepEqual(applied, ["001-initial.sql", "002-note.sql", "003-more.sql"]);
});

test("migrate(): a statement may take longer than the pool's statement timeout", async () => {
  await using s = await setup({ "001-slow.sql": "select pg_sleep(0.4); create table slow (id integer);" });
  assert.deepEqual((await migrate(s.another(200), s.source)).applied, ["001-slow.sql"]);
});

test("migrate(): an accelerator the server cannot take is skipped with its reason and tried again later [P4]", async () => {
  await using s = await setup({
    "001-initial.sql": INITIAL,
    "002-search.sql": "-- optional: faster search\ncreate index fast on thing using gin (text gin_trgm_ops);\n",
    "003-absent.sql": "-- optional: an extension that is not installed\ncreate extension no_such_extension;\n",
    "004-note.sql": SECOND,
  });
  const { applied, skipped } = await migrate(s.database, s.source);
  assert.deepEqual(applied, ["001-initial.sql", "004-note.sql"]);
  assert.deepEqual(
    skipped.map(({ name }) => name),
    ["002-search.sql", "003-absent.sql"],
  );
  assert.match(skipped[0]?.reason ?? "", /^faster search \(operator class "gin_trgm_ops" does not exist/);
  await assertMigrated(s.database, s.source);
  await s.database.query({ text: "create extension pg_trgm", values: [] });
  assert.deepEqual((await migrate(s.database, s.source)).applied, ["002-search.sql"]);
});

test("migrate(): an accelerator that is wrong in itself is a failure, not a skip", async () => {
  await using s = await setup({ "001-wrong.sql": "-- optional: typing error\ncreate indx;\n" });
  await assert.rejects(migrate(s.database, s.source), { exitCode: 78, message: /001-wrong\.sql of vault failed/ });
});

test("migrate(): a file without a number, or a number twice, is a fault of the build", async () => {
  await using unnumbered = await setup({ "initial.sql": INITIAL });
  await assert.rejects(migrate(unnumbered.database, unnumbered.source), /initial\.sql is not named like a migration/);
  await using twice = await setup({ "001-a.sql": "select 1", "001-b.sql": "select 1" });
  await assert.rejects(migrate(twice.database, twice.source), /number of 001-b\.sql/);
});
