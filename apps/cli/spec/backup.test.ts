import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
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
  // Two rows that every writer changes together: a backup of two moments would tell them apart.
  await run(source, "create table pair (id integer primary key, n integer not null, text text)");
  await run(source, "insert into pair values (1, 0, $1), (2, 0, null)", [CONTENT]);
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

function take(name: string): ReturnType<typeof takeBackup> {
  const request = { url: source.url, files: join(place.path, "files"), to: join(place.path, name) };
  return takeBackup({ database: source, nowMs: 0 }, request);
}

test("a backup under load is of one moment, and reads back; a directory that exists is refused", async () => {
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) await run(source, "update pair set n = n + 1");
  })();
  const manifest = await take("loaded");
  isWriting = false;
  await writing;
  const [one, two] = (await readFile(join(place.path, "loaded/tables/pair"), "utf8")).trim().split("\n");
  assert.equal(one?.split("\t")[1], two?.split("\t")[1]);
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

test("a restore gives the same database and files; a target that holds data is refused", async () => {
  await run(source, "drop table if exists child, pair");
  const register = (ename: string) =>
    `insert into registration (ename, uri, vault, registered_at_ms, changed_at_ms) values ('${ename}', 'u', 'v', 0, 0)`;
  await run(source, `${register("@1")}; ${register("@2")}`);
  const taken = await take("whole");
  await using target = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const files = join(place.path, "restored");
  const request = { from: join(place.path, "whole"), url: target.url, files, sources: SOURCES };
  const restored = await restoreBackup(target, request);
  assert.deepEqual(restored, taken);
  assert.equal(await readFile(join(files, "aa/blob"), "utf8"), CONTENT);
  for (const each of SOURCES) assert.deepEqual((await migrate(target, each)).applied, []);
  assert.deepEqual(await run(target, `${register("@3")} returning id`), [{ id: 3 }]);
  await assert.rejects(restoreBackup(target, request), { exitCode: 78, message: /holds \d+ tables already/ });
  await using other = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await assert.rejects(restoreBackup(other, { ...request, url: other.url }), { message: /DS_FILES: .*restored holds/ });
  await assert.rejects(
    restoreBackup(other, { ...request, url: other.url, files: join(place.path, "later"), sources: [] }),
    { message: /The backup is newer than this build/ },
  );
});

test("dataspace backup and restore work from the command line, with DATABASE_URL", async () => {
  await using target = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const to = join(place.path, "by-command");
  await using backup = startCommand(["backup", "--to", to, "--json"], { DATABASE_URL: source.url });
  assert.equal(await backup.ended, 0, backup.stderr());
  assert.equal(JSON.parse(backup.stdout()).files, 0);
  await using restore = startCommand(["restore", to], { DATABASE_URL: target.url });
  assert.equal(await restore.ended, 0, restore.stderr());
  assert.match(restore.stdout(), /^Restored and compared: \d+ rows, 0 files/);
  await using none = startCommand(["backup"], { DATABASE_URL: source.url });
  assert.equal(await none.ended, 64);
});
