import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { loginMigrations } from "@dataspace/login/migrations";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { CONFORMANCE_PAGE, toConformancePage } from "./conformance-page.ts";
import { DEVIATIONS } from "./deviations.ts";
import { MODULES } from "./modules.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import { runMutant } from "./mutants/run-mutant.ts";
import { runHarness } from "./run-harness.ts";
import type { Results } from "./run-modules.ts";

let database: TestDatabase;
let ours: Results;
let stock: Results;

before(async () => {
  database = await openTestDatabase(process.env[TEST_SERVER_SETTING], loginMigrations);
  ({ ours, stock } = await runHarness(database));
});
after(() => database[Symbol.asyncDispose]());

function failedOf(results: Results): readonly string[] {
  return [...results].filter(([, { kind }]) => kind === "failed").map(([name]) => name);
}

test("the connector fails the modules that the specification forbids to pass, and no other [decision L3]", () => {
  const allowed = DEVIATIONS.flatMap(({ modules }) => modules);
  assert.deepEqual([...failedOf(ours)].sort(), [...allowed].sort());
});

test("the stock provider passes each module that the connector fails, so that the modules can pass [decision L3]", () => {
  const failed = failedOf(stock);
  for (const name of DEVIATIONS.flatMap(({ modules }) => modules)) assert.ok(!failed.includes(name), name);
  assert.deepEqual(
    failed.filter((name) => MODULES.find((module) => module.name === name)?.plan !== "Own checks"),
    [],
  );
});

test("docs/login-conformance.md is what the harness finds; `npm run harness -- --write` renews it [decision L3]", () => {
  assert.equal(readFileSync(CONFORMANCE_PAGE, "utf8"), toConformancePage(ours, stock));
});

test("a proxy that alters nothing changes no outcome", async () => {
  const caughtBy = MODULES.map(({ name }) => name);
  const behindProxy = await runMutant(database, { does: "alters nothing", caughtBy, alter: () => ({}) });
  assert.deepEqual([...behindProxy], [...ours]);
});

for (const mutant of MUTANTS) {
  test(`the harness notices a provider that ${mutant.does}`, async () => {
    const results = await runMutant(database, mutant);
    for (const [name, { kind }] of results) {
      assert.equal(ours.get(name)?.kind, "passed", name);
      assert.ok(kind === "failed" || kind === "warning", `${name}: ${kind}`);
    }
  });
}
