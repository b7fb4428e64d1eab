import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { BlobPlace, BlobStore } from "../files/blob-store.ts";
import { condemnFile, forgetFile } from "../store/stored-file-rows.ts";

/** The dependencies of discarding a blob. */
export interface DiscardDeps {
  /**
   * The database itself, even within a request that is one transaction: the state of a blob must survive a rollback.
   */
  readonly reservations: Database;
  readonly blobs: BlobStore;
  readonly log: Log;
}

/**
 * Deletes a blob that no MetaEnvelope was written for; a blob in use is never deleted.
 *
 * Out: false when it failed now; the sweep will retry. Refuses: never. Source: decision V15.
 */
export async function discardFile({ reservations, blobs, log }: DiscardDeps, file: BlobPlace): Promise<boolean> {
  try {
    if (await condemnFile(reservations, file)) {
      await blobs.delete(file);
      await forgetFile(reservations, file);
    }
    return true;
  } catch (error) {
    log.warn({ err: error }, "an abandoned blob could not be deleted; the sweep will try again");
    return false;
  }
}
