import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { startModelFleet } from "./model-fleet.ts";
import { runModel } from "./run-model.ts";

// DS_MODEL_OPERATIONS makes the run longer; DS_MODEL_SEED repeats one, or begins with the owner at whom one failed.
const operations = Number(process.env["DS_MODEL_OPERATIONS"] ?? 20_000);
const seed = Number(process.env["DS_MODEL_SEED"] ?? randomInt(2 ** 30));

/** What a run must have met to prove anything. */
const MUST_MEET = [
  ...["create", "store", "update", "updateById", "remove", "deleteById", "rollback", "bulk", "updateValue"],
  ...["read", "getById", "list", "find", "search", "all", "history", "logs", "all RESULT_TOO_LARGE"],
  ...["create FORBIDDEN", "create UNAUTHENTICATED", "create TOKEN_SPENT", "create INVALID_ACL", "create INVALID_TEXT"],
  ...["update FORBIDDEN", "update NOT_FOUND", "update TOKEN_SPENT", "update ACL_CHANGE_FORBIDDEN", "remove FORBIDDEN"],
  ...["rollback VERSION_NOT_FOUND", "rollback VERSION_IS_DELETE", "rollback INVALID_VERSION", "rollback FORBIDDEN"],
  ...["updateValue FORBIDDEN", "updateValue NOT_FOUND", "bulk UNAUTHENTICATED", "store UNAUTHENTICATED"],
  ...["list INVALID_PAGINATION", "list BAD_CURSOR", "history BAD_CURSOR", "logs BAD_CURSOR", "logs UNAUTHENTICATED"],
];

test("every answer to random operations of every kind of caller is the one the spec gives, and every write has its version and its event", async (t) => {
  await using fleet = await startModelFleet({ processes: 0 });
  const startedMs = performance.now();
  const ran = await runModel({ seed, operations, ...fleet });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (operations >= 10_000)
    assert.deepEqual(
      MUST_MEET.filter((key) => !fleet.fleet.met.has(key)),
      [],
    );
  t.diagnostic(
    [...fleet.fleet.met]
      .sort()
      .map(([key, times]) => `${key}: ${times}`)
      .join(", "),
  );
  t.diagnostic(`${ran.operations} operations of ${ran.owners} owners in ${seconds} s, DS_MODEL_SEED=${seed}`);
});
