import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { runExport } from "./run-export.ts";
import { runUpgrade } from "./run-upgrade.ts";

test("a column, its backfill, a constraint and an index are added to a table of records while clients read and update it, and no client fails [P4]", async (t) => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const { faults, ...report } = await runUpgrade({ records: 40_000, url: database.url, say: () => undefined });
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(faults, []);
});

test("a vault of 40,000 records is exported and verified with a heap of 40 MB [V18]", async (t) => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const { faults, ...report } = await runExport({ records: 40_000, url: database.url, say: () => undefined });
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(faults, []);
});
