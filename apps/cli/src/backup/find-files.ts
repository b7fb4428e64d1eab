import { join } from "node:path";
import { collectSettingValues } from "@dataspace/service-kit/settings/setting-values";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { findDataDirectory } from "@dataspace/system/checkout";
import { parseFilesLocation } from "@dataspace/vault/files-settings";
import type { Environment } from "../operate/operated-services.ts";

/** Where the vault's files are stored. A directory that is not `named` by DS_FILES may not exist yet. */
export type FilesPlace =
  | { readonly kind: "directory"; readonly path: string; readonly isNamed: boolean }
  | { readonly kind: "bucket"; readonly bucket: string }
  | { readonly kind: "nowhere" };

/**
 * Finds where the vault's files are stored: DS_FILES, or `files` in the data directory.
 *
 * Refuses: StartupError 78 for a DS_FILES that is neither a directory nor a bucket.
 */
export function findFiles(env: Environment): FilesPlace {
  const { values } = collectSettingValues(["DS_FILES", "DATABASE_URL", "DS_DATA_DIR"], env);
  const { DS_FILES: named, DATABASE_URL: databaseUrl, DS_DATA_DIR: dataDirectory } = values;
  if (named === undefined) {
    if (databaseUrl !== undefined && dataDirectory === undefined) return { kind: "nowhere" };
    return { kind: "directory", path: join(findDataDirectory(env), "files"), isNamed: false };
  }
  const location = parseFilesLocation(named);
  if (location === undefined) throw new StartupError("DS_FILES: must be a directory or an s3:// bucket.");
  return location.kind === "bucket" ? location : { ...location, isNamed: true };
}
