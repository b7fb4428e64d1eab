import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { storageSettings } from "@dataspace/service-kit/storage/storage-settings";
import type { Environment } from "./service.ts";

/** The directory that holds the checkout, absolute. */
export const CHECKOUT_DIRECTORY: string = fileURLToPath(new URL("../", import.meta.url));

/**
 * Finds the data directory: DS_DATA_DIR, also from the file that DS_DATA_DIR_FILE names, or `.dataspace` below the checkout.
 *
 * Refuses: StartupError 78 when both are set or the file cannot be read. Source: decisions P4, P5.
 */
export function findDataDirectory(env: Environment): string {
  const { DS_DATA_DIR } = readSettings({ DS_DATA_DIR: storageSettings.DS_DATA_DIR }, env);
  return resolve(DS_DATA_DIR ?? resolve(CHECKOUT_DIRECTORY, ".dataspace"));
}
