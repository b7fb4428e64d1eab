import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { openTableCopy } from "@dataspace/service-kit/postgres/table-copy";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { verifyBackup } from "../src/backup/manifest.ts";
import { restoreBackup } from "../src/backup/restore-backup.ts";
import { takeBackup } from "../src/backup/take-backup.ts";
import { OPERATED_SERVICES } from "../src/operate/operated-services.ts";
import { startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const SOURCES = OPERATED_SERVICES.flatMap(({ migrations }) => migrations);
const CONTENT = "a\tb\\c\n\u{1f600}";

let source: TestDatabase;
let place: Awaited<ReturnType<typeof makeTemporaryDirectory>>;

before(async () => {
  place = await makeTemporaryDirectory();
  source = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  for (const each of SOURCES) await migrate(source, each);
  await mkdir(join(place.path, "files/aa"), { recursive: true });
  await writeFile(join(place.path, "files/aa/blob"), CONTENT);
  // Every writer changes a row of two tables together, with a large table copied between them: a backup of two moments
  // would tell them apart.
  await run(source, "create table pair (id integer primary key, n integer not null, text text)");
  await run(source, "insert into pair values (1, 0, $1), (2, 0, null)", [CONTENT]);
  await run(
    source,
    "create table quantity as select n, repeat('x', 500) as filler from generate_series(1, 20000) as n",
  );
  await run(source, "create table twin as select id, n from pair");
  await run(source, "create table child (pair_id integer references pair)");
  await run(source, "insert into child values (1)");
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

async function run(database: TestDatabase, text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
  return (await database.query({ text, values })).rows;
}

const directory = (path: string, isNamed = true) => ({ kind: "directory", path, isNamed }) as const;

function take(name: string, url = source.url): ReturnType<typeof takeBackup> {
  const request = { url, files: directory(join(place.path, "files")), to: join(place.path, name) };
  return takeBackup({ nowMs: 0 }, request);
}

test("a backup under load is of one moment, and reads back; a directory that exists is refused", async () => {
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    for (; isWriting; written += 1) {
      await run(source, "with one as (update pair set n = n + 1) update twin set n = n + 1");
    }
  })();
  while (written === 0) await new Promise((resolve) => setImmediate(resolve));
  const before = written;
  const manifest = await take("loaded");
  assert.ok(written > before, "writers do not wait for a backup");
  isWriting = false;
  await writing;
  const [pair, twin] = await Promise.all(
    ["pair", "twin"].map((name) => readFile(join(place.path, "loaded/tables", name), "utf8")),
  );
  const counts = (text = "") =>
    text
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[1]);
  assert.deepEqual(counts(pair), counts(twin));
  assert.deepEqual(
    manifest.files.map(({ path }) => path),
    ["aa/blob"],
  );
  assert.equal((await stat(join(place.path, "loaded/manifest.json"))).mode & 0o777, 0o600);
  await assert.rejects(take("loaded"), { exitCode: 78, message: /--to: .* exists already/ });
});

test("one flipped byte anywhere in a backup is refused by the name of its file", async () => {
  await take("flipped");
  for (const [file, named] of [
    ["tables/pair", /tables\/pair was altered/],
    ["files/aa/blob", /files\/aa\/blob was altered/],
    ["manifest.json", /manifest\.json was altered/],
  ] as const) {
    const path = join(place.path, "flipped", file);
    const whole = await readFile(path);
    const altered = Buffer.from(whole);
    altered[0] = (altered[0] ?? 0) ^ 1;
    await writeFile(path, altered);
    await assert.rejects(verifyBackup(join(place.path, "flipped")), { exitCode: 78, message: named });
    await writeFile(path, whole);
  }
  await verifyBackup(join(place.path, "flipped"));
  await assert.rejects(verifyBackup(place.path), { exitCode: 78, message: /not a complete backup/ });
});

test("the text of a backup does not depend on the settings of the role or the database", async () => {
  await run(
    source,
    "create table moment as select timestamptz '2026-11-23 10:00Z' as at, 0.1::float8 + 0.2 as x, '\\x01'::bytea as b, interval '1 day 2 hours' as i",
  );
  const plain = await take("plain");
  const odd = new URL(source.url);
  odd.searchParams.set(
    "options",
    "-c TimeZone=Asia/Tokyo -c DateStyle=German -c extra_float_digits=-10 -c bytea_output=escape -c IntervalStyle=iso_8601",
  );
  assert.deepEqual((await take("odd", odd.href)).tables, plain.tables);
});

test("a migration waits for the end of a backup, and the manifest lists the migrations of the copied state", async () => {
  await using copy = await openTableCopy(source.url);
  await using later = await makeTemporaryDirectory();
  await writeFile(join(later.path, "001-later.sql"), "alter table quantity add column note text;\n");
  const migrating = migrate(source, { service: "later", directory: pathToFileURL(later.path) });
  const waited = await Promise.race([migrating, new Promise((resolve) => setTimeout(resolve, 600, "waits"))]);
  assert.equal(waited, "waits");
  await copy[Symbol.asyncDispose]();
  assert.deepEqual((await migrating).applied, ["001-later.sql"]);
  await run(source, "alter table quantity drop column note; delete from schema_migration where service = 'later'");
});

test("a backup that fails leaves no directory: files that cannot be read, a database without tables", async () => {
  await using empty = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const to = join(place.path, "failed");
  const file = join(place.path, "files/aa/blob");
  for (const [url, files, message] of [
    [source.url, directory(file), /DS_FILES: .*blob cannot be read \(ENOTDIR/],
    [source.url, directory(join(place.path, "absent")), /DS_FILES: .*absent cannot be read \(ENOENT/],
    [empty.url, directory(join(place.path, "files")), /DATABASE_URL: the database has no tables/],
  ] as const) {
    await assert.rejects(takeBackup({ nowMs: 0 }, { url, files, to }), { exitCode: 78, message });
    await assert.rejects(stat(to), { code: "ENOENT" });
  }
  await using target = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const request = { from: join(place.path, "plain"), url: target.url, files: directory(file), sources: SOURCES };
  await assert.rejects(restoreBackup(target, request), { message: /DS_FILES: .*blob cannot be read \(ENOTDIR/ });
});

test("a restore that fails after its migrations leaves no table, no function and no file, and can be run again", async () => {
  await run(source, "drop table if exists child, pair, twin, quantity, moment");
  await run(source, "create table beside_migrations (id integer)");
  await take("with-a-strange-table");
  await run(source, "drop table beside_migrations");
  await take("without");
  await using target = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const files = directory(join(place.path, "undone"));
  const restore = (name: string) =>
    restoreBackup(target, { from: join(place.path, name), url: target.url, files, sources: SOURCES });
  await assert.rejects(restore("with-a-strange-table"), { message: /holds a table that its migrations do not make/ });
  const text = `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')`;
  assert.deepEqual(await run(target, text), []);
  await restore("without");
  await using other = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const lost: TestDatabase = {
    ...other,
    query: (statement) =>
      statement.text.includes("drop table") ? Promise.reject(new Error("connection lost")) : other.query(statement),
  };
  const request = { from: join(place.path, "with-a-strange-table"), url: other.url, files, sources: SOURCES };
  await assert.rejects(restoreBackup(lost, { ...request, files: directory(join(place.path, "undone-too")) }), {
    message: /do not make\. What was restored until then could not be removed \(connection lost\)\./,
  });
});

test("a restore gives the same database and files; a target that holds data is refused", async () => {
  await run(source, "drop table if exists child, pair, twin, quantity, moment");
  const register = (ename: string) =>
    `insert into registration (ename, uri, vault, registered_at_ms, changed_at_ms) values ('${ename}', 'u', 'v', 0, 0)`;
  await run(source, `${register("@1")}; ${register("@2")}`);
  const taken = await take("whole");
  await using target = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const files = join(place.path, "restored");
  const request = { from: join(place.path, "whole"), url: target.url, files: directory(files), sources: SOURCES };
  const restored = await restoreBackup(target, request);
  assert.deepEqual(restored, taken);
  assert.equal(await readFile(join(files, "aa/blob"), "utf8"), CONTENT);
  for (const each of SOURCES) assert.deepEqual((await migrate(target, each)).applied, []);
  assert.deepEqual(await run(target, `${register("@3")} returning id`), [{ id: 3 }]);
  await assert.rejects(restoreBackup(target, request), { exitCode: 78, message: /holds \d+ tables already/ });
  await using other = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await assert.rejects(restoreBackup(other, { ...request, url: other.url }), { message: /DS_FILES: .*restored holds/ });
  await assert.rejects(
    restoreBackup(other, { ...request, url: other.url, files: directory(join(place.path, "later")), sources: [] }),
    { message: /The backup is newer than this build/ },
  );
});

test("dataspace backup and restore work from the command line, with DATABASE_URL", async () => {
  await using target = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const to = join(place.path, "by-command");
  await using backup = startCommand(["backup", "--to", to, "--json"], { DATABASE_URL: source.url });
  assert.equal(await backup.ended, 0, backup.stderr());
  assert.equal(JSON.parse(backup.stdout()).files, 0);
  const bucket = { DATABASE_URL: source.url, DS_FILES: "s3://my-files?endpoint=https://s3.example.org" };
  await using withBucket = startCommand(["backup", "--to", join(place.path, "with-bucket")], bucket);
  assert.equal(await withBucket.ended, 0, withBucket.stderr());
  assert.match(withBucket.stdout(), /^Not included: the files in the bucket my-files\. Back it up as well\.$/m);
  const { notIncluded } = JSON.parse(await readFile(join(place.path, "with-bucket/manifest.json"), "utf8"));
  assert.deepEqual(notIncluded, ["the files in the bucket my-files"]);
  await using restore = startCommand(["restore", to], { DATABASE_URL: target.url });
  assert.equal(await restore.ended, 0, restore.stderr());
  assert.match(restore.stdout(), /^Restored and compared: \d+ rows, 0 files/);
  await using none = startCommand(["backup"], { DATABASE_URL: source.url });
  assert.equal(await none.ended, 64);
});
