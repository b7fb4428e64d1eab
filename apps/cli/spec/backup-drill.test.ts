import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { OPERATED_SERVICES } from "../src/operate/operated-services.ts";
import { startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

test("a drill takes a backup under load, restores it into a new directory, compares, and leaves the source as it is", async () => {
  await using place = await makeTemporaryDirectory();
  await using source = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  for (const each of OPERATED_SERVICES.flatMap(({ migrations }) => migrations)) await migrate(source, each);
  await mkdir(join(place.path, "files/aa"), { recursive: true });
  await writeFile(join(place.path, "files/aa/blob"), "content");
  let written = 0;
  let isWriting = true;
  const load = (async () => {
    for (; isWriting; written += 1) {
      const text =
        "insert into registration (ename, uri, vault, registered_at_ms, changed_at_ms) values ($1, 'u', 'v', 0, 0)";
      await source.query({ text, values: [`@${written}`] });
    }
  })();
  const directory = join(place.path, "drill");
  const settings = { DATABASE_URL: source.url, DS_FILES: join(place.path, "files") };
  await using drill = startCommand(["backup", "drill", "--in", directory, "--json"], settings);
  assert.equal(await drill.ended, 0, drill.stderr());
  const before = written;
  isWriting = false;
  await load;
  assert.ok(before > 0);
  const outcome = JSON.parse(drill.stdout());
  assert.equal(outcome.files, 1);
  assert.deepEqual(outcome.notIncluded, []);
  assert.equal(await readFile(join(directory, "restored/files/aa/blob"), "utf8"), "content");
  const rows = (part: string) => readFile(join(directory, part, "tables/registration"), "utf8");
  assert.equal(await rows("again"), await rows("backup"));
  assert.ok((await rows("again")).split("\n").length > 1, "the load is in the copy");
  await using twice = startCommand(["backup", "drill", "--in", directory], settings);
  assert.equal(await twice.ended, 78);
  assert.match(twice.stderr(), /--in: .*drill exists already/);
});
