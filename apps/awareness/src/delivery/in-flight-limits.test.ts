import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptEnd, createInFlightLimits } from "./in-flight-limits.ts";

function attempt(limits: ReturnType<typeof createInFlightLimits>, end: AttemptEnd, times = 1): void {
  for (let time = 0; time < times; time += 1) {
    limits.begin("s");
    limits.end("s", { end, durationMs: 1_000 });
  }
}

test("each delivery allows one more at once, from 8 up to 64, and a failure takes it back to 8 [E2]", () => {
  const limits = createInFlightLimits();
  attempt(limits, "delivered", 3);
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 11, isSlow: false }]]);
  attempt(limits, undefined);
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 11, isSlow: false }]]);
  attempt(limits, "delivered", 100);
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 64, isSlow: false }]]);
  limits.begin("s");
  attempt(limits, "failed");
  assert.deepEqual([...limits.known()], [["s", { underWay: 1, most: 8, isSlow: false }]]);
});

test("an endpoint that said more than is read is asked one at a time, until an answer is whole again [E2]", () => {
  const limits = createInFlightLimits();
  attempt(limits, "delivered", 3);
  attempt(limits, "oversized", 2);
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 1, isSlow: false }]]);
  attempt(limits, "failed");
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 1, isSlow: false }]]);
  attempt(limits, "delivered", 2);
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 3, isSlow: false }]]);
});

test("an endpoint that takes longer than a second is slow and gets 8 at once at most, until it is quick again [V25]", () => {
  const limits = createInFlightLimits();
  attempt(limits, "delivered", 3);
  limits.begin("s");
  limits.end("s", { end: "delivered", durationMs: 1_001 });
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 8, isSlow: true }]]);
  attempt(limits, "delivered");
  assert.deepEqual([...limits.known()], [["s", { underWay: 0, most: 9, isSlow: false }]]);
});

test("of subscriptions without anything in flight a thousand are remembered", () => {
  const limits = createInFlightLimits();
  for (let id = 0; id < 3_000; id += 1) {
    limits.begin(String(id));
    limits.end(String(id), { end: "failed", durationMs: 5_000 });
  }
  assert.equal([...limits.known()].length, 1_000);
});

test("a subscription without attempts and without history uses no memory", () => {
  const limits = createInFlightLimits();
  limits.begin("s");
  assert.deepEqual([...limits.known()], [["s", { underWay: 1, most: 8, isSlow: false }]]);
  limits.end("s", { end: undefined, durationMs: 0 });
  attempt(limits, "delivered");
  attempt(limits, "failed");
  assert.deepEqual([...limits.known()], []);
});

test("more may be due where a claim took as many as the limit allowed when it began, whatever ended meanwhile", () => {
  const limits = createInFlightLimits();
  const claim = (ids: readonly string[]) => limits.claim()(ids);
  claim(Array(7).fill("s"));
  assert.equal(limits.mayHaveMoreDue("s"), false);
  for (let begun = 0; begun < 7; begun += 1) limits.begin("s");
  const claimed = limits.claim();
  limits.end("s", { end: "delivered", durationMs: 1 });
  claimed(["s"]);
  assert.equal(limits.mayHaveMoreDue("s"), true);
  claim(["other"]);
  assert.equal(limits.mayHaveMoreDue("s"), false);
  for (let begun = 0; begun < 3; begun += 1) limits.begin("s");
  claim([]);
  assert.equal(limits.mayHaveMoreDue("s"), true);
});
