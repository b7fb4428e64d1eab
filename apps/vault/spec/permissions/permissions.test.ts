import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { fuzzPermissions } from "./fuzz-permissions.ts";
import { startPermissionFleet } from "./start-world.ts";

const operations = Number(process.env["DS_PERMISSION_OPERATIONS"] ?? 800);
const seed = Number(process.env["DS_PERMISSION_SEED"] ?? randomInt(2 ** 30));
const steps = process.env["DS_PERMISSION_STEPS"]?.split(",").map(Number);

/** What a run of 800 operations must have met to prove anything. */
const MUST_MEET = [
  ...[
    "create",
    "store",
    "bulk",
    "upload",
    "bind",
    "update",
    "rollback",
    "updateValue",
    "read",
    "list",
    "history",
    "logs",
  ],
  ...["create FORBIDDEN", "bulk FORBIDDEN", "store UNAUTHENTICATED", "update NOT_FOUND", "updateValue FORBIDDEN"],
];

test("no operation answers otherwise than the access rules say, and none widens what anybody may do in another vault [decisions V12, V13, V22, V23, V24, V27]", async (t) => {
  await using parts = await startPermissionFleet();
  const startedMs = performance.now();
  const met = await fuzzPermissions(parts, { seed, operations, steps });
  assert.deepEqual(
    MUST_MEET.filter((key) => operations >= 800 && steps === undefined && !met.answers.has(key)),
    [],
  );
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const answers = [...met.answers].sort().map(([key, times]) => `${key}: ${times}`);
  t.diagnostic(answers.join(", "));
  t.diagnostic(`${met.operations} operations, ${met.probes} probes in ${seconds} s, DS_PERMISSION_SEED=${seed}`);
});
