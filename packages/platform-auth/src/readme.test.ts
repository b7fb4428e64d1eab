import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { LINK_IDS } from "./link-entry.ts";

const HOME = path.join(import.meta.dirname, "..");

test("the README's program is example.ts, and six links hold in it", async () => {
  const readme = await readFile(path.join(HOME, "README.md"), "utf8");
  const example = path.join(HOME, "example.ts");
  assert.equal(readme.split("```ts example\n")[1]?.split("```")[0], await readFile(example, "utf8"));
  const { stdout } = spawnSync(process.execPath, [example], { encoding: "utf8" });
  for (const id of LINK_IDS) assert.ok(stdout.includes(`${id} ok`), stdout);
});
