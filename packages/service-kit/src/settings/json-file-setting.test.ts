import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { StartupError } from "../startup-error.ts";
import { jsonFileSetting } from "./json-file-setting.ts";
import { readSettings } from "./settings.ts";

const shape = {
  DS_LIST: jsonFileSetting((content) => (Array.isArray(content) ? { value: content } : { fault: "must be a list" })),
};

test("a setting that names a JSON file has the file's content, or the fault that is in it", () => {
  const directory = mkdtempSync(join(tmpdir(), "json-file-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  assert.deepEqual(readSettings(shape, { DS_LIST: write("list.json", "[1, 2]") }), { DS_LIST: [1, 2] });
  const faults: readonly (readonly [string, RegExp])[] = [
    [write("object.json", "{}"), /object\.json" must be a list/],
    [write("broken.json", "{"), /broken\.json" is not JSON/],
    [write("large.json", `"${"x".repeat(4 * 1_048_576)}"`), /large\.json" must have at most 4 MiB/],
    [join(directory, "absent.json"), /absent\.json" cannot be read \(ENOENT\)/],
  ];
  for (const [path, fault] of faults) {
    assert.throws(
      () => readSettings(shape, { DS_LIST: path }),
      (error) => error instanceof StartupError && fault.test(error.message),
    );
  }
});
