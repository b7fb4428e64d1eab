import { refusal } from "../errors.ts";
import type { BlobStore } from "./blob-store.ts";

/**
 * The store of a vault without file storage, because no setting names one. `put` refuses: UPLOAD_FAILED. Source:
 * decision V15.
 */
export const noBlobStore: BlobStore = {
  put: async () => {
    throw refusal("UPLOAD_FAILED", "This vault keeps no files; ask its operator to set DS_FILES.");
  },
  get: async () => undefined,
  delete: async () => undefined,
};
