import type { Readable } from "node:stream";
import type { EName } from "@dataspace/protocol/ename";

/** Which blob: its owner, and the random key that the vault gave it. No part of it comes from a caller. */
export interface BlobPlace {
  readonly owner: EName;
  readonly blobKey: string;
}

/**
 * Where the bytes of files lie. A blob is written once, whole or not at all, and is durable when `put` resolves.
 *
 * Rejects with the store's own error; nothing of it is fit for a caller's eyes. Source: decision V15.
 */
export interface BlobStore {
  readonly put: (place: BlobPlace, bytes: Uint8Array) => Promise<void>;
  /** Out: the bytes as a stream, undefined where there is no such blob. */
  readonly get: (place: BlobPlace) => Promise<Readable | undefined>;
  /** Deletes a blob, and what an interrupted `put` left of it; one that is not there is deleted already. */
  readonly delete: (place: BlobPlace) => Promise<void>;
}
