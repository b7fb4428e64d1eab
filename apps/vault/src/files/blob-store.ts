import type { Readable } from "node:stream";
import type { EName } from "@dataspace/protocol/ename";

/** A blob: its owner, and the random key that the vault gave it. No part of it comes from a caller. */
export interface BlobPlace {
  readonly owner: EName;
  readonly blobKey: string;
}

/**
 * The storage of file bytes. A blob is written once, completely or not at all, and is durable when `put` resolves.
 *
 * Rejects with the store's own error, which callers must not see. Source: decision V15.
 */
export interface BlobStore {
  readonly put: (place: BlobPlace, bytes: Uint8Array) => Promise<void>;
  /** Out: the bytes as a stream, undefined where the blob does not exist. */
  readonly get: (place: BlobPlace) => Promise<Readable | undefined>;
  /** Deletes a blob, and the remains of an interrupted `put`; succeeds for a blob that does not exist. */
  readonly delete: (place: BlobPlace) => Promise<void>;
}
