import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { runSoak } from "./run-soak.ts";
import { SOAK_FAULTS } from "./soak-faults.ts";

const FAULT_EVERY_MS = 3_000;

test("at half of the capacity and with each kind of fault once, 99.9 % of the requests outside fault windows succeed, 95 % of them in 250 ms where no other program needs the processors, and nothing is lost [V-EVT-120]", async (t) => {
  await using server = await startTemporaryPostgres();
  const directory = await mkdtemp(join(tmpdir(), "dataspace-soak-"));
  const seed = Number(process.env["DS_CRASH_SEED"] ?? randomInt(2 ** 30));
  t.diagnostic(`DS_CRASH_SEED=${seed}, logs in ${directory}`);
  const report = await runSoak({
    seed,
    capacityMs: 2_000,
    loadMs: FAULT_EVERY_MS * (SOAK_FAULTS.length + 1),
    faultEveryMs: FAULT_EVERY_MS,
    speed: 10,
    directory,
    urls: {
      vault: await server.createDatabaseIfMissing("vault"),
      awareness: await server.createDatabaseIfMissing("awareness"),
    },
    stopDatabase: () => void process.kill(server.pid, "SIGQUIT"),
    say: (line) => t.diagnostic(line),
  });
  const { faults, ...figures } = report;
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(faults, []);
  await rm(directory, { recursive: true });
});
