import { emptyRoot, nodeHash } from "./merkle-hash.ts";

/** The entries from `from` to below `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A complete subtree: `2 ** level` entries from `idx * 2 ** level` on. */
export interface Subtree {
  readonly level: number;
  readonly idx: number;
}

/** Gives the hash of a complete subtree. */
export type HashOfSubtree = (subtree: Subtree) => Uint8Array;

/** Gives the ranges whose hashes prove that entry `leaf` is in a log of `size` entries. Source: RFC 9162 section 2.1.3.1. */
export function inclusionRanges(leaf: number, size: number): readonly Range[] {
  return pathRanges(leaf, { from: 0, to: size });
}

/**
 * Gives the ranges whose hashes prove that a log of `size` entries begins with the same `earlier` entries as before.
 *
 * In: `earlier` is 1 to `size`. Source: RFC 9162 section 2.1.4.1.
 */
export function consistencyRanges(earlier: number, size: number): readonly Range[] {
  return subproofRanges(earlier, { from: 0, to: size }, true);
}

/** Gives the complete subtrees whose hashes make the hash of a range that starts at a subtree's start. */
export function subtreesOf({ from, to }: Range): readonly Subtree[] {
  if (to === from) return [];
  const length = largestPower(to - from);
  const level = Math.log2(length);
  return [{ level, idx: from / length }, ...subtreesOf({ from: from + length, to })];
}

/** Computes the hash of a range from those of its complete subtrees. */
export function hashOfRange(range: Range, hashOf: HashOfSubtree): Uint8Array {
  const hashes = subtreesOf(range).map(hashOf);
  return hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
}

function pathRanges(leaf: number, { from, to }: Range): readonly Range[] {
  if (to - from === 1) return [];
  const middle = from + halfOf(to - from);
  return leaf < middle
    ? [...pathRanges(leaf, { from, to: middle }), { from: middle, to }]
    : [...pathRanges(leaf, { from: middle, to }), { from, to: middle }];
}

function subproofRanges(earlier: number, { from, to }: Range, isWhole: boolean): readonly Range[] {
  if (earlier === to) return isWhole ? [] : [{ from, to }];
  const middle = from + halfOf(to - from);
  return earlier <= middle
    ? [...subproofRanges(earlier, { from, to: middle }, isWhole), { from: middle, to }]
    : [...subproofRanges(earlier, { from: middle, to }, false), { from, to: middle }];
}

/** The largest power of two below a number above 1. */
function halfOf(length: number): number {
  return largestPower(length - 1);
}

function largestPower(length: number): number {
  return 2 ** Math.floor(Math.log2(length));
}
