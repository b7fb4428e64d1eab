import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findNoNamespace, runRestarts } from "./restarts.ts";

test("kill -9 of every process at random moments, where nobody reaps them: each start succeeds, nothing acknowledged is lost, no webhook is out of order [P4] [E1]", {
  skip: findNoNamespace() ?? false,
}, async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-restarts-"));
  const { faults, zombies, ...counts } = await runRestarts({ kills: 4, seed: 20261122, directory }, () => undefined);
  t.diagnostic(JSON.stringify({ ...counts, zombies }));
  assert.deepEqual(faults, []);
  assert.ok(zombies > 4, `${zombies} zombies: somebody reaps them`);
  assert.ok(counts.acknowledged > 0 && counts.arrivals > 0);
  await rm(directory, { recursive: true });
});
