import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CLOSED_CIRCUIT, circuitAfterAnswer, circuitAfterFailure, isHopeless } from "./endpoint-circuit.ts";

const HOUR_MS = 3_600_000;

function failTimes(times: number, lanes: number, from = CLOSED_CIRCUIT) {
  let circuit = from;
  for (let time = 0; time < times; time += 1) {
    circuit = circuitAfterFailure(circuit, { lane: `lane ${time % lanes}`, nowMs: 0, isProbe: false });
  }
  return circuit;
}

test("a circuit opens at ten failures in a row over three lanes, and neither sooner nor over fewer [E2]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 6 }), (times, lanes) => {
      assert.equal(failTimes(times, lanes).openedAtMs !== null, times >= 10 && lanes >= 3);
    }),
  );
  assert.equal(failTimes(9, 3, circuitAfterAnswer(failTimes(9, 3))).openedAtMs, null);
});

test("an open circuit that was answered lets one be in flight, with each answer one more, then as many as usual; a failure opens it again [E2]", () => {
  const limits = [];
  for (let circuit = circuitAfterAnswer(failTimes(10, 3)), step = 0; step < 9; step += 1) {
    limits.push(circuit.inFlightLimit);
    circuit = circuitAfterAnswer(circuit);
  }
  assert.deepEqual(limits, [1, 2, 3, 4, 5, 6, 7, null, null]);
  const again = circuitAfterFailure(circuitAfterAnswer(failTimes(10, 3)), { lane: "a", nowMs: 7, isProbe: false });
  assert.equal(again.openedAtMs, 7);
});

test("an endpoint is given up after 24 h and 50 failed probes, not after either alone [V-EVT-146]", () => {
  const probe = (nowMs: number) => ({ lane: "a", nowMs, isProbe: true });
  let circuit = failTimes(10, 3);
  for (let count = 1; count <= 49; count += 1) circuit = circuitAfterFailure(circuit, probe(25 * HOUR_MS));
  assert.ok(!isHopeless(circuit, 25 * HOUR_MS));
  circuit = circuitAfterFailure(circuit, { ...probe(25 * HOUR_MS), isProbe: false });
  assert.ok(!isHopeless(circuit, 25 * HOUR_MS));
  circuit = circuitAfterFailure(circuit, probe(25 * HOUR_MS));
  assert.ok(isHopeless(circuit, 25 * HOUR_MS));
  assert.ok(!isHopeless(circuit, 24 * HOUR_MS - 1));
});
