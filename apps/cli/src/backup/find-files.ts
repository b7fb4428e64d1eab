import { join } from "node:path";
import { collectSettingValues } from "@dataspace/service-kit/settings/setting-values";
import { findDataDirectory } from "@dataspace/system/checkout";
import type { Environment } from "../operate/operated-services.ts";

/**
 * Finds the directory of the vault's stored files: DS_FILES, or `files` in the data directory.
 *
 * Out: undefined for a bucket, which has a backup of its own, and where no directory is set. Refuses: never.
 */
export function findFiles(env: Environment): string | undefined {
  const { values } = collectSettingValues(["DS_FILES", "DATABASE_URL", "DS_DATA_DIR"], env);
  if (values["DS_FILES"] !== undefined) return /^[a-z0-9]+:/i.test(values["DS_FILES"]) ? undefined : values["DS_FILES"];
  if (values["DATABASE_URL"] !== undefined && values["DS_DATA_DIR"] === undefined) return undefined;
  return join(findDataDirectory(env), "files");
}
