import type { Log } from "@dataspace/service-kit/log";
import type { BlobStore } from "./files/blob-store.ts";
import { openDirectoryBlobStore } from "./files/directory-blob-store.ts";
import { noBlobStore } from "./files/no-blob-store.ts";
import { openS3BlobStore, type S3Bucket } from "./files/s3-blob-store.ts";

/** Where files are stored: a directory, with the setting that named it, a bucket, or nowhere. */
export type FilesLocation =
  | { readonly kind: "directory"; readonly path: string; readonly setting: "DS_FILES" | "DS_DATA_DIR" }
  | ({ readonly kind: "bucket" } & S3Bucket)
  | { readonly kind: "nowhere" };

/** Opens the store of files. Refuses: StartupError 78 naming the setting. Source: decision V15. */
export async function openBlobStore(location: FilesLocation, log: Log): Promise<BlobStore> {
  switch (location.kind) {
    case "directory":
      return openDirectoryBlobStore(location.path, location.setting);
    case "bucket":
      return openS3BlobStore(location, log);
    case "nowhere":
      log.warn("neither DS_FILES nor DS_DATA_DIR is set: uploads are refused");
      return noBlobStore;
  }
}
