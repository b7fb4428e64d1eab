import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { loadMappings } from "./load-mappings.ts";

async function directoryOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "mappings-"));
  t.after(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text);
  return directory;
}

test("every json file of a directory is a mapping, in the order of their names", async (t) => {
  const mapping = (tableName: string) =>
    JSON.stringify({ tableName, schemaId: "s", ownerEnamePath: "ename", localToUniversalMap: { name: "name" } });
  const directory = await directoryOf(t, {
    "b.json": mapping("b"),
    "a.mapping.json": mapping("a"),
    "notes.md": "no mapping",
  });
  const mappings = await loadMappings(directory);
  assert.deepEqual(
    mappings.list.map(({ tableName }) => tableName),
    ["a", "b"],
  );
  assert.deepEqual(mappings.bySchema.get("s")?.length, 2);
});

test("a file that is not JSON is refused with its line and column", async (t) => {
  const directory = await directoryOf(t, { "a.json": '{\n  "tableName": oops\n}' });
  await assert.rejects(loadMappings(directory), /a\.json line 2:16 INVALID_JSON /);
});
