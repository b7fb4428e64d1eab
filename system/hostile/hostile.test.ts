import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { SHORT } from "./extents.ts";
import { runHostile } from "./run-hostile.ts";

const seed = Number(process.env["HOSTILE_SEED"] ?? randomInt(2 ** 30));

async function attack(context: TestContext, auth: "enforced" | "header", only: string | undefined): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  const directory = await mkdtemp(join(tmpdir(), "dataspace-hostile-"));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  context.diagnostic(`seed ${seed}; the same again: HOSTILE_SEED=${seed}`);
  const say = (line: string): void => context.diagnostic(line);
  const report = await runHostile({ seed, auth, extent: SHORT, only, databaseUrl: database.url, directory, say });
  assert.ok(report.requests > 0);
  assert.deepEqual(report.faults, []);
}

test("hostile requests to everything that is served get documented answers, hold no event loop and leave nothing behind [decision V25]", (context) =>
  attack(context, "enforced", undefined));

test("with header trust, hostile requests to the vault hold no event loop and leave nothing behind [decisions V25, I2]", (context) =>
  attack(context, "header", "vault"));
