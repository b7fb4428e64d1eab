import assert from "node:assert/strict";
import { test } from "node:test";
import { createTimeOrderedIds } from "./time-ordered-ids.ts";

test("ids are UUIDv7s that rise within a millisecond, past its counter and when the clock steps back (RFC 9562 6.2)", () => {
  let nowMs = 1_700_000_000_000;
  const nextId = createTimeOrderedIds({ nowMs: () => nowMs });
  const ids = Array.from({ length: 10_000 }, nextId);
  nowMs -= 5_000;
  ids.push(nextId());
  nowMs += 60_000;
  ids.push(nextId());
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(Number.parseInt(ids.at(-1)!.replace("-", "").slice(0, 12), 16), nowMs);
});
