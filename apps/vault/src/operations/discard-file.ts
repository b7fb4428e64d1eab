import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { BlobPlace, BlobStore } from "../files/blob-store.ts";
import { condemnFile, forgetFile } from "../store/stored-file-rows.ts";

/** What throwing a blob away needs. */
export interface DiscardDeps {
  /** The database itself, within a request that is one transaction too: what is noted of a blob outlasts a rollback. */
  readonly reservations: Database;
  readonly blobs: BlobStore;
  readonly log: Log;
}

/**
 * Throws away a blob that no MetaEnvelope was written for; one that is kept stays, whoever asks.
 *
 * Out: false when it could not be done now; the sweep will try again. Refuses: never. Source: decision V15.
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
