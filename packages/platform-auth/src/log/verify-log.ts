import { timingSafeEqual } from "node:crypto";
import { nodeHash } from "./merkle-hash.ts";

/** A proof that an entry is in a log: the entry's hash and place, the log's size and root, and the hashes of the path. */
export interface InclusionProof {
  readonly leafHash: Uint8Array;
  readonly leaf: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** A proof that a log only grew: sizes and roots of then and now, and the hashes between them. */
export interface ConsistencyProof {
  readonly earlierSize: number;
  readonly earlierRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Checks whether an entry is in a log. Refuses: never. Source: RFC 9162 section 2.1.3.2. */
export function verifyInclusion({ leafHash, leaf, size, root, path }: InclusionProof): boolean {
  if (leaf < 0 || leaf >= size) return false;
  let [node, last, hash] = [leaf, size - 1, leafHash];
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(hash, root);
}

/** Checks whether a log begins with all entries of an earlier one. Refuses: never. Source: RFC 9162 section 2.1.4.2. */
export function verifyConsistency({ earlierSize, earlierRoot, size, root, path }: ConsistencyProof): boolean {
  if (earlierSize < 1 || earlierSize > size) return false;
  if (earlierSize === size) return path.length === 0 && isSame(earlierRoot, root);
  const isPower = Number.isInteger(Math.log2(earlierSize));
  const [first, ...rest] = isPower ? [earlierRoot, ...path] : path;
  if (first === undefined) return false;
  let [node, last] = [earlierSize - 1, size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [earlierHash, hash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      earlierHash = nodeHash(sibling, earlierHash);
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(earlierHash, earlierRoot) && isSame(hash, root);
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
