/** The middle of a list of numbers; of two middles their mean. Refuses: an Error for an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("there is no median of nothing");
  return (low + high) / 2;
}

/**
 * The smallest number that at least a given share of a list does not exceed (nearest rank).
 *
 * In: `share` above 0, at most 1. Refuses: an Error for an empty list.
 */
export function percentile(numbers: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new Error("there is no percentile of nothing");
  return found;
}

/**
 * The median of the ratios of pairs that were measured beside each other, which what slows both does not move.
 *
 * In: lists of equal length, above and below the line. Refuses: an Error when the lengths differ or are 0.
 */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  if (above.length !== below.length) throw new Error("ratios need pairs");
  return median(above.map((number, index) => number / (below[index] as number)));
}
