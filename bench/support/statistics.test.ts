import assert from "node:assert/strict";
import { test } from "node:test";
import { median, medianRatio, percentile } from "./statistics.ts";

test("the median is the middle number, or the mean of the two middle ones", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([7]), 7);
  assert.throws(() => median([]), /nothing/);
});

test("a percentile is the nearest rank, compared as numbers and not as text", () => {
  const numbers = [100, 9, 20, 3];
  assert.equal(percentile(numbers, 0.5), 9);
  assert.equal(percentile(numbers, 0.75), 20);
  assert.equal(percentile(numbers, 0.99), 100);
  assert.equal(percentile(numbers, 0.01), 3);
  assert.throws(() => percentile([], 0.5), /nothing/);
});

test("a ratio is taken within each pair, so that a machine slow for one round does not move it", () => {
  assert.equal(medianRatio([10, 1, 12], [20, 2, 24]), 0.5);
  assert.throws(() => medianRatio([1], [1, 2]), /pairs/);
});
