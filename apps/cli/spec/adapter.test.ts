import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
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
});
