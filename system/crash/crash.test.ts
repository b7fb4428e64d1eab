import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { type CrashReport, type CrashRun, runCrash } from "./run-crash.ts";
import { STEPS } from "./steps.ts";

/** Runs on its own databases, and always prints the seed and the result. */
async function run(
  t: TestContext,
  sizes: Pick<CrashRun, "events" | "rounds" | "speed" | "restMs">,
): Promise<CrashReport> {
  await using vault = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await using awareness = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const directory = await mkdtemp(join(tmpdir(), "dataspace-crash-"));
  const seed = Number(process.env["DS_CRASH_SEED"] ?? randomInt(2 ** 30));
  t.diagnostic(`DS_CRASH_SEED=${seed}, logs in ${directory}`);
  const urls = { vault: vault.url, awareness: awareness.url };
  const report = await runCrash({ ...sizes, seed, databaseStops: 0, directory, urls });
  const { faults, reached, ...counts } = report;
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(faults, []);
  await rm(directory, { recursive: true });
  return report;
}

test("while nothing fails, two vaults and two awareness services deliver each version once and in order [V-DLV-007] [V-EVT-120]", async (t) => {
  const { duplicates, replays, unknown, kills } = await run(t, { events: 200, rounds: 0, restMs: 0, speed: 1 });
  assert.deepEqual({ duplicates, replays, unknown, kills }, { duplicates: 0, replays: 0, unknown: 0, kills: 0 });
});

test("kill -9 at every step between a write and its receivers loses no event and inverts none, and pauses past a lease neither [V-EVT-005] [V-EVT-120] [V-EVT-121] [V-EVT-122] [V-EVT-124] [V-DLV-005] [V-DLV-006] [V-DLV-007]", async (t) => {
  const { kills, reached } = await run(t, { events: 300, rounds: 2, restMs: 200, speed: 15 });
  assert.ok(kills >= 30, `${kills} kills`);
  for (const { name, signal } of STEPS) assert.equal(reached[name], signal === "SIGKILL" ? 2 : 1, name);
});
