import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RECIPES } from "./recipes.ts";

const CREATES =
  /^create (?:unlogged |unique )?(?:table|index|type|sequence|view)(?: concurrently)?(?: if not exists)? (\w+)/gim;

test("services that share a database have no name of a table or an index in common [decision P5]", async () => {
  const services = await Promise.all(RECIPES.map(async ({ name, load }) => ({ name, ...(await load()) })));
  const owners = new Map<string, Set<string>>();
  for (const { name, migrations } of services) {
    for (const { directory } of migrations) {
      for (const file of globSync("*.sql", { cwd: fileURLToPath(directory) })) {
        for (const [, created = ""] of readFileSync(new URL(file, directory), "utf8").matchAll(CREATES)) {
          owners.set(created, (owners.get(created) ?? new Set()).add(name));
        }
      }
    }
  }
  assert.ok(owners.size > 50, "the migrations were read");
  const shared = [...owners].filter(([, names]) => names.size > 1).map(([created]) => created);
  assert.deepEqual(shared, []);
});
