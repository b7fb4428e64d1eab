import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { stateTableStatements } from "@dataspace/adapter/state/state-tables";
import { startCommand } from "./support/start-command.ts";

const MAPPING = {
  tableName: "posts",
  schemaId: "550e8400-e29b-41d4-a716-446655440001",
  ownerEnamePath: "author.ename||ename",
  localToUniversalMap: { text: "content", total: "__calc(a * b),total", at: "__date(at),createdAt" },
};
const ROW = { id: "p1", text: "hello", at: "never", a: 2, b: 3, ename: "@11111111-1111-4111-8111-111111111111" };

async function filesOf(t: TestContext, mapping: object): Promise<{ readonly directory: string; readonly row: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), "adapter-command-"));
  t.after(() => rm(directory, { recursive: true }));
  const row = path.join(directory, "row.txt");
  await writeFile(path.join(directory, "posts.mapping.json"), JSON.stringify(mapping));
  await writeFile(row, JSON.stringify(ROW));
  return { directory, row };
}

test("adapter check lists mappings and what they lose, and ends with 78 at a fault, naming file, key and column", async (t) => {
  const { directory } = await filesOf(t, MAPPING);
  await using well = startCommand(["adapter", "check", directory], {});
  assert.equal(await well.ended, 0);
  assert.match(
    well.stdout(),
    /posts <-> 550e8400.*warning: total: the way back loses something.*1 mappings, no faults/s,
  );
  await using read = startCommand(["adapter", "check", directory, "--json"], {});
  assert.equal(await read.ended, 0);
  const [listed] = JSON.parse(read.stdout()).mappings;
  assert.deepEqual([listed.tableName, listed.fields, listed.readOnly], ["posts", 3, false]);
  const broken = await filesOf(t, { ...MAPPING, localToUniversalMap: { text: "__upper(text)" } });
  await using faulty = startCommand(["adapter", "check", broken.directory], {});
  assert.equal(await faulty.ended, 78);
  assert.match(faulty.stderr(), /posts\.mapping\.json localToUniversalMap\.text:1 UNKNOWN_FORM/);
});

test("adapter test shows the payload of a row and what is lost, and adapter explain its owner", async (t) => {
  const { directory, row } = await filesOf(t, MAPPING);
  const tried = ["--table", "posts", "--row", row];
  await using testing = startCommand(["adapter", "test", directory, ...tried], {});
  assert.equal(await testing.ended, 1);
  assert.match(testing.stdout(), /"content": "hello".*lost: at: INVALID_DATE.*lost: total: /s);
  await using explaining = startCommand(["adapter", "explain", directory, ...tried], {});
  assert.equal(await explaining.ended, 0);
  assert.match(explaining.stdout(), /author\.ename: no eName\nename: @1111.*The row belongs to @1111/s);
  await using counting = startCommand(["adapter", "test", directory, ...tried, "--json"], {});
  assert.equal(await counting.ended, 1);
  assert.deepEqual(
    JSON.parse(counting.stdout()).lost.map(({ key }: { readonly key: string }) => key),
    ["at", "total"],
  );
  await using owning = startCommand(["adapter", "explain", directory, ...tried, "--json"], {});
  assert.equal(await owning.ended, 0);
  assert.match(JSON.parse(owning.stdout()).owner, /^@1111/);
});

const PLATFORM = `
import { DatabaseSync } from "node:sqlite";
import { createAdapter } from "@dataspace/adapter/create-adapter";
import { createMappings } from "@dataspace/adapter/mapping/create-mappings";
import { createSqlTable } from "@dataspace/adapter/sync/sql-table";
import { openSqliteState, sqliteQueryable } from "@dataspace/adapter/state/sqlite-state";
import { appendFileSync, existsSync } from "node:fs";

const document = { tableName: "posts", schemaId: "s", ownerEnamePath: "owner", localToUniversalMap: { text: "content", photo: "__file(photo),photo" } };
const mappings = createMappings([{ file: "posts", document }]);
const state = openSqliteState(process.env.PLATFORM_DB);
const shared = { database: state, newId: () => "new", inTransaction: sqliteQueryable };
const posts = createSqlTable({ ...shared, table: "posts", columns: { text: "text", owner: "owner", photo: "photo" } });
const call = (name) => async () => void appendFileSync(process.env.PLATFORM_CALLS, name + "\\n");
const vault = { create: call("create"), update: call("update"), remove: call("remove"), uploadFile: call("uploadFile"), createMany: call("createMany") };
const record = { id: "g1", ontology: "s", parsed: { content: "other" } };
const vaults = { vault: () => ({ ...vault, get: async () => record, list: async function* () {} }) };
export const adapter = await createAdapter({ mappings, state, vaults, tables: { posts } });
await new Promise((resolve) => setTimeout(resolve, 300));
`;

test("adapter diff, doctor and dry runs send nothing and write nothing, also where the adapter never ran", async (t) => {
  const { directory } = await filesOf(t, MAPPING);
  const module = path.join(import.meta.dirname, `platform-${process.pid}.ts`);
  t.after(() => rm(module));
  await writeFile(module, PLATFORM);
  const env = { PLATFORM_DB: path.join(directory, "platform.db"), PLATFORM_CALLS: path.join(directory, "calls.txt") };
  const database = new DatabaseSync(env.PLATFORM_DB);
  database.exec("create table posts (id text primary key, text text, owner text, photo text)");
  database
    .prepare("insert into posts values ('p1', 'hello', ?, 'data:image/png;base64,AAAA')")
    .run("@11111111-1111-4111-8111-111111111111");
  const tables = () => database.prepare("select name from sqlite_master order by name").all();
  const before = tables();
  const run = async (...args: string[]) => {
    await using command = startCommand(["adapter", ...args, "--adapter", module], env);
    return [await command.ended, command.stdout()] as const;
  };
  assert.deepEqual(await run("diff", "posts"), [1, "posts p1: no-record\n1 differences\n"]);
  assert.deepEqual(await run("diff", "posts", "--json"), [
    1,
    '{"table":"posts","localId":"p1","kind":"no-record","fields":[]}\n{"differences":1}\n',
  ]);
  assert.deepEqual(JSON.parse((await run("backfill", "posts", "--dry-run", "--json"))[1]), {
    seen: 1,
    noted: 1,
    withoutOwner: 0,
    dryRun: true,
    waiting: 0,
    parked: 0,
  });
  assert.equal(JSON.parse((await run("doctor", "--json"))[1]).findings[0].ok, false);
  assert.match((await run("doctor"))[1], /fault state: the adapter's tables are not there/);
  assert.match((await run("backfill", "posts", "--dry-run"))[1], /^0 wait/m);
  assert.deepEqual(tables(), before);
  for (const text of stateTableStatements("sqlite")) database.exec(text);
  database.exec("insert into ds_change (table_name, local_id, tail, next_at) values ('posts', 'p1', 1, 0)");
  database.exec(`insert into ds_pair (table_name, local_id, owner, global_id, known, saved_at)
    values ('posts', 'p1', '@11111111-1111-4111-8111-111111111111', 'g1', '{}', 1)`);
  assert.deepEqual(await run("diff", "posts"), [1, "posts p1: fields content, photo\n1 differences\n"]);
  assert.equal(existsSync(env.PLATFORM_CALLS), false, "no vault was written to");
  assert.equal(database.prepare("select attempts from ds_change").get()?.["attempts"], 0, "nothing was claimed");
  database.close();
});
