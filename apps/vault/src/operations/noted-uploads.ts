import { createHash } from "node:crypto";
import { refusal } from "../errors.ts";
import type { StoredFile } from "../store/stored-file-rows.ts";
import type { Upload, Uploads } from "./uploads.ts";

/** The uploads of a request that runs in a database transaction and may run again. */
export interface NotedUploads {
  /** Begins a run. Out: the uploads of that run, which only note files that are not stored yet. */
  readonly beginRun: () => Uploads;
  /** Returns whether an upload waits to be stored. */
  readonly hasNoted: () => boolean;
  /** Stores the noted files, one after the other. Refuses: never; a later run gets the refusal of its upload. */
  readonly storeNoted: () => Promise<void>;
  /** Deletes files that were stored but not used; call it after the last run. Refuses: never. */
  readonly discardUnkept: () => Promise<void>;
}

type Outcome = { readonly file: StoredFile } | { readonly error: unknown };

/**
 * Makes uploads that never use the file store inside a transaction. A file that is not stored yet is noted and refused.
 * The transaction then rolls back, `storeNoted` stores the bytes outside of it, and the request runs again.
 *
 * Runs identify an upload by its bytes, and equal ones by their order. Source: decision V26.
 */
export function createNotedUploads(uploads: Uploads): NotedUploads {
  const outcomes = new Map<string, Outcome>();
  const noted = new Map<string, Upload>();

  async function store(name: string, upload: Upload): Promise<void> {
    try {
      outcomes.set(name, { file: await uploads.store(upload) });
    } catch (error) {
      outcomes.set(name, { error });
    }
  }

  return {
    beginRun: () => {
      const seen = new Map<string, number>();
      return {
        store: async (upload) => {
          const hash = createHash("sha256").update(upload.bytes).digest("hex");
          const nth = (seen.get(hash) ?? 0) + 1;
          seen.set(hash, nth);
          const name = `${nth} ${hash}`;
          const outcome = outcomes.get(name);
          if (outcome === undefined) {
            noted.set(name, upload);
            throw refusal("TRY_AGAIN", "This file is stored after the transaction.");
          }
          if ("error" in outcome) throw outcome.error;
          return outcome.file;
        },
        // The transaction may hold its reservation; it is discarded after the last run.
        discard: async () => undefined,
      };
    },
    hasNoted: () => noted.size > 0,
    storeNoted: async () => {
      const waiting = [...noted];
      noted.clear();
      for (const [name, upload] of waiting) await store(name, upload);
    },
    discardUnkept: async () => {
      for (const outcome of outcomes.values()) if ("file" in outcome) await uploads.discard(outcome.file);
    },
  };
}
