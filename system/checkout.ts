import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "./service.ts";

/** The directory that holds the checkout, absolute. */
export const CHECKOUT_DIRECTORY: string = fileURLToPath(new URL("../", import.meta.url));

/** Finds the data directory: DS_DATA_DIR, or `.dataspace` below the checkout. Refuses: never. Source: decision P4. */
export function findDataDirectory(env: Environment): string {
  return resolve(env["DS_DATA_DIR"] || resolve(CHECKOUT_DIRECTORY, ".dataspace"));
}
