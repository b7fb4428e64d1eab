import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decideAfterFailure } from "./back-off.ts";

const TABLE = [5, 15, 45, 120, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 14_400, 14_400, 14_400];
const DAY_MS = 86_400_000;
const EARLIEST = 1 - 2 ** -53;

/** Fails every attempt at the moment it is due, and gives the moments. */
function runOut(startMs: number, deadlineMs: number, randoms: () => number): readonly number[] {
  const moments = [startMs];
  for (;;) {
    const nowMs = moments.at(-1)!;
    const after = decideAfterFailure({
      number: moments.length,
      nowMs,
      deadlineMs,
      retryAfterMs: undefined,
      random: randoms(),
    });
    if (after.kind === "dead") return moments;
    moments.push(after.atMs);
  }
}

test("without jitter the gaps are the table's, and a 16th attempt is exactly at 24 h [V-EVT-141] [V-EVT-142] [V-EVT-143]", () => {
  const moments = runOut(0, DAY_MS, () => 0);
  assert.equal(moments.length, 16);
  const gaps = moments.slice(1).map((at, index) => (at - moments[index]!) / 1000);
  assert.deepEqual(gaps.slice(0, 14), TABLE);
  assert.equal(moments.at(-1), DAY_MS);
});

test("with any jitter a gap is 0 to 20 % shorter than the table's, the last attempt is at the deadline and there are at most 16 [V-EVT-141] [V-EVT-142] [V-EVT-143] [V-EVT-144]", () => {
  const random = fc.double({ min: 0, max: EARLIEST, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(random, { minLength: 16, maxLength: 16 }),
      fc.integer({ min: 1, max: DAY_MS }),
      (randoms, window) => {
        let turn = 0;
        const startMs = 1_790_000_000_000;
        const moments = runOut(startMs, startMs + window, () => randoms[turn++]!);
        assert.ok(moments.length <= 16);
        assert.equal(moments.at(-1), startMs + window);
        moments.slice(1, -1).forEach((at, index) => {
          const gapMs = at - moments[index]!;
          assert.ok(gapMs <= TABLE[index]! * 1000 && gapMs >= TABLE[index]! * 800, `gap ${index + 1} is ${gapMs} ms`);
        });
      },
    ),
  );
});

test("an attempt that fails at its deadline or later was the last, whatever its number [V-EVT-144] [V-EVT-145]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: DAY_MS }), (number, lateMs) => {
      const failed = { number, nowMs: 5000 + lateMs, deadlineMs: 5000, retryAfterMs: undefined, random: 0.5 };
      assert.deepEqual(decideAfterFailure(failed), { kind: "dead" });
    }),
  );
});

test("attempts beyond the sixteenth, as crashes make them, still wait for the deadline [V-EVT-144]", () => {
  const failed = { number: 23, nowMs: 0, deadlineMs: DAY_MS, retryAfterMs: undefined, random: 0 };
  assert.deepEqual(decideAfterFailure(failed), { kind: "retry", atMs: DAY_MS });
});

test("an endpoint's wish for a longer gap is respected up to the deadline, and one for a shorter gap is not [E2]", () => {
  const failed = { number: 2, nowMs: 0, deadlineMs: 600_000, random: 0 };
  const at = (retryAfterMs: number) => decideAfterFailure({ ...failed, retryAfterMs });
  assert.deepEqual(at(90_000), { kind: "retry", atMs: 90_000 });
  assert.deepEqual(at(1_000), { kind: "retry", atMs: 15_000 });
  assert.deepEqual(at(DAY_MS), { kind: "retry", atMs: 600_000 });
});
