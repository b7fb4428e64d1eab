import type { Log } from "@dataspace/service-kit/log";
import type { BlobStore } from "./files/blob-store.ts";
import { openDirectoryBlobStore } from "./files/directory-blob-store.ts";
import { openS3BlobStore, type S3Bucket } from "./files/s3-blob-store.ts";

/** Where files are kept: a directory, with the setting that named it, or a bucket. */
export type FilesLocation =
  | { readonly kind: "directory"; readonly path: string; readonly setting: "DS_FILES" | "DS_DATA_DIR" }
  | ({ readonly kind: "bucket" } & S3Bucket);

/** Opens the store of files. Refuses: StartupError 78 naming the setting. Source: decision V15. */
export function openBlobStore(location: FilesLocation, log: Log): Promise<BlobStore> {
  return location.kind === "directory"
    ? openDirectoryBlobStore(location.path, location.setting)
    : openS3BlobStore(location, log);
}
