import assert from "node:assert/strict";
import { test } from "node:test";
import { createLoadRecord } from "./load-record.ts";
import { slopePercentAnHour } from "./memory.ts";

test("a request counts as outside only where no window touches it", () => {
  const record = createLoadRecord();
  const add = (startedMs: number, endedMs: number, succeeded: boolean) => record.add({ startedMs, endedMs, succeeded });
  add(0, 10, true);
  record.openWindow();
  add(5, 20, false);
  record.closeWindow(30);
  add(25, 40, false);
  add(31, 41, true);
  const { answers, failures } = record.outside();
  assert.deepEqual({ answers, failures }, { answers: 2, failures: 0 });
  assert.equal(record.inside().failures, 2);
});

test("the percentiles are upper bounds of the durations", () => {
  const record = createLoadRecord();
  for (let ms = 1; ms <= 100; ms += 1) record.add({ startedMs: 0, endedMs: ms - 0.5, succeeded: true });
  const { p50Ms, p95Ms } = record.outside();
  assert.deepEqual({ p50Ms, p95Ms }, { p50Ms: 50, p95Ms: 95 });
  assert.equal(createLoadRecord().outside().p95Ms, 0);
});

test("memory that grows by a tenth in an hour has a slope of about ten percent, and steady memory has none", () => {
  const everyMinute = Array.from({ length: 61 }, (_, minute) => minute * 60_000);
  const growing = everyMinute.map((atMs) => ({ atMs, bytes: 100e6 + (10e6 * atMs) / 3_600_000 }));
  const steady = everyMinute.map((atMs) => ({ atMs, bytes: 100e6 + (atMs % 120_000) }));
  assert.ok(Math.abs(slopePercentAnHour(growing) - 9.5) < 0.2, String(slopePercentAnHour(growing)));
  assert.ok(Math.abs(slopePercentAnHour(steady)) < 0.2);
});
