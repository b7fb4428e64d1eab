import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Log } from "@dataspace/service-kit/log";
import { refusal } from "../errors.ts";
import type { UnderOwnerLock } from "../store/owner-lock.ts";
import type { WithinQuota } from "../store/record-quota.ts";
import { reserveFile, type StoredFile } from "../store/stored-file-rows.ts";
import { type DiscardDeps, discardFile } from "./discard-file.ts";
import { quotaExceeded } from "./mutations/commit-draft.ts";

/** The bytes of a file that is uploaded. `at`: when, in ISO 8601; `guest`: whether they count against the quota of guests. */
export interface Upload {
  readonly file: StoredFile;
  readonly bytes: Uint8Array;
  readonly at: string;
  readonly guest: boolean;
}

/** Stores the bytes of uploads. */
export interface Uploads {
  /**
   * Reserves quota for an upload and stores its bytes. Out: the file; in a repeated run, the one that an earlier run
   * stored.
   * Refuses: QUOTA_EXCEEDED, UPLOAD_FAILED, and STORAGE_UNAVAILABLE where the store is full.
   */
  readonly store: (upload: Upload) => Promise<StoredFile>;
  /** Deletes the bytes of a file that no MetaEnvelope was written for. Refuses: never. */
  readonly discard: (file: StoredFile) => Promise<void>;
}

/** The dependencies of storing. */
export interface UploadsDeps extends DiscardDeps {
  readonly underOwnerLock: UnderOwnerLock;
  readonly withinQuota: WithinQuota;
}

/** Makes uploads that are stored at once. Source: S1 "uploadFile"; decisions V15, V21. */
export function createUploads(deps: UploadsDeps): Uploads {
  return {
    store: async ({ file, bytes, at, guest }) => {
      const { reservations: database, underOwnerLock, withinQuota } = deps;
      const items = [{ records: 0, bytes: file.sizeBytes }];
      await withinQuota({ database, underOwnerLock, owner: file.owner, guest, items }, async (on, granted) => {
        if (granted === 0) throw quotaExceeded(guest);
        await reserveFile(on, file, { at, guest });
      });
      await storeBytes(deps, file, bytes);
      return file;
    },
    discard: async (file) => {
      await discardFile(deps, file);
    },
  };
}

async function storeBytes(
  { blobs, log }: { readonly blobs: DiscardDeps["blobs"]; readonly log: Log },
  file: StoredFile,
  bytes: Uint8Array,
): Promise<void> {
  try {
    await blobs.put(file, bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    log.error({ err: error }, "a blob could not be stored");
    // The reservation stays: what failed here may still arrive in the store, and the sweep then finds it.
    await blobs.delete(file).catch(() => undefined);
    throw refusal(
      "UPLOAD_FAILED",
      "The store of files does not take this one now; nothing was written. Try again later.",
    );
  }
}
