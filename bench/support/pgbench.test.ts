import assert from "node:assert/strict";
import { test } from "node:test";
import { pgbenchOwners, writeCreateScript } from "./pgbench.ts";

test("the yardstick gives the create statement a value for each of its parameters", () => {
  const script = writeCreateScript({ owners: pgbenchOwners(10) });
  assert.match(script, /insert into change_event/);
  assert.doesNotMatch(script, /\$\d|undefined/);
});
