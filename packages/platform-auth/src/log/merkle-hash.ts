import { createHash } from "node:crypto";

/** The hash of an entry of an append-only log, 32 bytes. Source: RFC 9162 section 2.1.1. */
export function leafHash(entry: Uint8Array): Uint8Array {
  return createHash("sha256").update(LEAF).update(entry).digest();
}

/** The hash of a subtree from those of its two halves, 32 bytes. Source: RFC 9162 section 2.1.1. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash("sha256").update(NODE).update(left).update(right).digest();
}

/** The root of a log without entries, 32 bytes. Source: RFC 9162 section 2.1.1. */
export function emptyRoot(): Uint8Array {
  return createHash("sha256").digest();
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
