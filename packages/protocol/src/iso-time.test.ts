import assert from "node:assert/strict";
import { test } from "node:test";
import { isIsoTime } from "./iso-time.ts";

test("a valid time has a date, seconds and an offset, and exists", () => {
  for (const text of ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123456789+05:30", "0000-01-01T00:00:00-00:00"]) {
    assert.ok(isIsoTime(text), text);
  }
  const others = [
    "2026-01-31",
    "2026-01-31T12:00Z",
    "2026-01-31T12:00:00",
    "2026-01-31t12:00:00z",
    "2026-13-01T12:00:00Z",
  ];
  for (const value of [...others, "2026-01-31T25:00:00Z", " 2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z\n", 0, null]) {
    assert.equal(isIsoTime(value), false, String(value));
  }
});
