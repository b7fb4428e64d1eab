import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findDataDirectory } from "./checkout.ts";

test("findDataDirectory(): DS_DATA_DIR_FILE names a file that holds the directory, as for every setting [P5]", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "dataspace-checkout-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "setting");
  writeFileSync(file, `${directory}/data\n`);
  assert.equal(findDataDirectory({ DS_DATA_DIR_FILE: file }), join(directory, "data"));
  assert.equal(findDataDirectory({ DS_DATA_DIR: directory }), directory);
  assert.match(findDataDirectory({}), /\.dataspace$/);
  assert.throws(() => findDataDirectory({ DS_DATA_DIR: directory, DS_DATA_DIR_FILE: file }), { exitCode: 78 });
  assert.throws(() => findDataDirectory({ DS_DATA_DIR_FILE: join(directory, "absent") }), { exitCode: 78 });
});
