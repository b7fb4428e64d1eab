import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { DataSource, EntitySchema } from "typeorm";
import { createDrizzleTable } from "./drizzle-table.ts";
import type { Row, TableAccess } from "./table-access.ts";
import { createTypeormTable } from "./typeorm-table.ts";

/** The rows of a table by pages of two. */
async function listAll<Transaction>({ list }: TableAccess<Transaction>): Promise<readonly Row[]> {
  assert.ok(list);
  const rows: Row[] = [];
  for (let page = await list({ after: undefined, limit: 2 }); page.length > 0; ) {
    rows.push(...page);
    page = await list({ after: String(page.at(-1)?.["id"]), limit: 2 });
  }
  return rows;
}

test("a Drizzle table with integer keys is read, written and listed in the order of its numbers, with what its rows name", async () => {
  using database = new DatabaseSync(":memory:");
  const on = drizzle(async (statement, values, method) => {
    const prepared = database.prepare(statement);
    prepared.setReturnArrays(true);
    const rows = prepared.all(...values) as unknown as unknown[][];
    return { rows: method === "get" ? (rows[0] as unknown[]) : rows };
  });
  database.exec("create table people (id integer primary key, name text)");
  database.exec("create table notes (id integer primary key, text text, writer_id integer)");
  const people = sqliteTable("people", { id: integer().primaryKey(), name: text() });
  const notes = sqliteTable("notes", { id: integer().primaryKey(), text: text(), writerId: integer("writer_id") });
  const table = createDrizzleTable<undefined>({ on: () => on, table: notes, links: { writer: ["writerId", people] } });
  database.exec("insert into people values (7, 'Ada')");
  const writer = { id: 7, name: "Ada" };
  for (let at = 1; at <= 11; at += 1) {
    const id = await table.create({ text: `note ${at}`, writer: at === 2 ? null : { id: "7" } }, undefined);
    assert.equal(id, String(at));
  }
  await table.update("10", { text: "edited" }, undefined);
  await table.remove("3", undefined);
  assert.deepEqual(await table.read("10", undefined), { id: 10, text: "edited", writerId: 7, writer });
  assert.equal(await table.read("3", undefined), undefined);
  const all = await listAll(table);
  assert.deepEqual(
    all.map(({ id }) => id),
    [1, 2, 4, 5, 6, 7, 8, 9, 10, 11],
  );
  assert.deepEqual([all[0]?.["writer"], all[1]?.["writer"], await table.count?.()], [writer, null, 10]);
  assert.deepEqual(database.prepare("select distinct typeof(writer_id) as type from notes order by 1").all().length, 2);
});

test("a TypeORM table is listed with the rows that its rows name, as it is read", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const Person = new EntitySchema<{ id: number; name: string }>({
    name: "people",
    columns: { id: { type: Number, primary: true, generated: true }, name: { type: "text" } },
  });
  const Note = new EntitySchema<{ id: number; text: string; author: unknown }>({
    name: "notes",
    columns: { id: { type: Number, primary: true, generated: true }, text: { type: "text" } },
    relations: { author: { type: "many-to-one", target: "people", nullable: true } },
  });
  const source = new DataSource({ type: "postgres", url: database.url, entities: [Person, Note], synchronize: true });
  await source.initialize();
  try {
    const author = await source.getRepository(Person).save({ name: "Ada" });
    const table = createTypeormTable(source, Note, ["author"]);
    for (let at = 1; at <= 11; at += 1) await table.create({ text: `note ${at}`, author }, source.manager);
    const all = await listAll(table);
    assert.deepEqual(
      all.map(({ id }) => id),
      Array.from({ length: 11 }, (_, at) => at + 1),
    );
    assert.deepEqual(all[0], await table.read("1", undefined));
    assert.deepEqual([all[0]?.["author"], await table.count?.()], [author, 11]);
  } finally {
    await source.destroy();
  }
});
