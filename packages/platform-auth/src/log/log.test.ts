import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { leafHash, nodeHash } from "./merkle-hash.ts";
import { consistencyRanges, type HashOfSubtree, hashOfRange, inclusionRanges } from "./merkle-ranges.ts";
import { verifyConsistency, verifyInclusion } from "./verify-log.ts";

const VECTORS = JSON.parse(readFileSync(new URL("../../../../vectors/merkle-tree.json", import.meta.url), "utf8")) as {
  readonly leaves: readonly string[];
  readonly roots: readonly string[];
};
const SIZE = 40;

/** The hashes of the complete subtrees over some entries. */
function createHashOf(entries: readonly Uint8Array[]): HashOfSubtree {
  const hashOf: HashOfSubtree = ({ level, idx }) =>
    level === 0
      ? leafHash(entries[idx] as Uint8Array)
      : nodeHash(hashOf({ level: level - 1, idx: 2 * idx }), hashOf({ level: level - 1, idx: 2 * idx + 1 }));
  return hashOf;
}

const entries = Array.from({ length: SIZE }, (_none, n) => createHash("sha256").update(String(n)).digest());
const hashOf = createHashOf(entries);
const rootOf = (size: number) => hashOfRange({ from: 0, to: size }, hashOf);

test("the root of the first n entries is the reference root [RFC 9162 2.1.1]", () => {
  const hashOfVector = createHashOf(VECTORS.leaves.map((hex) => Buffer.from(hex, "hex")));
  const roots = VECTORS.roots.map((_root, n) => hashOfRange({ from: 0, to: n + 1 }, hashOfVector));
  assert.deepEqual(
    roots.map((root) => Buffer.from(root).toString("hex")),
    VECTORS.roots,
  );
  const none = hashOfRange({ from: 0, to: 0 }, hashOfVector);
  assert.equal(Buffer.from(none).toString("hex"), createHash("sha256").digest("hex"));
});

test("every entry of every log up to 40 entries is proved, and no proof serves another entry, root or size", () => {
  for (let size = 1; size <= SIZE; size += 1) {
    for (let leaf = 0; leaf < size; leaf += 1) {
      const path = inclusionRanges(leaf, size).map((range) => hashOfRange(range, hashOf));
      const proof = { leafHash: hashOf({ level: 0, idx: leaf }), leaf, size, root: rootOf(size), path };
      assert.ok(verifyInclusion(proof));
      assert.ok(!verifyInclusion({ ...proof, leafHash: hashOf({ level: 0, idx: (leaf + 1) % SIZE }) }));
      assert.ok(!verifyInclusion({ ...proof, root: rootOf(size === SIZE ? 1 : size + 1) }));
      assert.ok(!verifyInclusion({ ...proof, path: [...path, proof.root] }));
      assert.ok(!verifyInclusion({ ...proof, leaf: size }));
      if (path.length > 0) assert.ok(!verifyInclusion({ ...proof, path: path.slice(1) }));
    }
  }
});

test("every earlier log is proved to be the start of every later one, and a rewritten one is not", () => {
  const rewritten = createHashOf(entries.map((entry, n) => (n === 0 ? Buffer.from("rewritten") : entry)));
  for (let size = 1; size <= SIZE; size += 1) {
    for (let earlierSize = 1; earlierSize <= size; earlierSize += 1) {
      const path = consistencyRanges(earlierSize, size).map((range) => hashOfRange(range, hashOf));
      const proof = { earlierSize, earlierRoot: rootOf(earlierSize), size, root: rootOf(size), path };
      assert.ok(verifyConsistency(proof));
      const otherRoot = hashOfRange({ from: 0, to: earlierSize }, rewritten);
      assert.ok(!verifyConsistency({ ...proof, earlierRoot: otherRoot }));
      const otherPath = consistencyRanges(earlierSize, size).map((range) => hashOfRange(range, rewritten));
      const laterRoot = hashOfRange({ from: 0, to: size }, rewritten);
      assert.ok(!verifyConsistency({ ...proof, root: laterRoot, path: otherPath }));
    }
  }
  assert.ok(!verifyConsistency({ earlierSize: 0, earlierRoot: rootOf(0), size: 3, root: rootOf(3), path: [] }));
});
