import { type EName, parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { findDataDirectory } from "@dataspace/system/checkout";
import { filesSettings, locateFiles } from "@dataspace/vault/files-settings";
import { vaultMigrations } from "@dataspace/vault/migrations";
import { openBlobStore } from "@dataspace/vault/open-blob-store";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type Environment, withConfiguredDatabase } from "../configured-database.ts";

/** The storage of the vaults that an operator works on. */
export interface OperatorStorage {
  readonly database: Database;
  readonly blobs: Awaited<ReturnType<typeof openBlobStore>>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Runs an operator's work on the configured database and store of files.
 *
 * Refuses: as `withConfiguredDatabase`; StartupError 78 for the settings of files. Source: decisions P5, V18.
 */
export async function withOperatorStorage<T>(
  env: Environment,
  work: (storage: OperatorStorage) => Promise<T>,
): Promise<T> {
  // A log would go to stdout, which holds the outcome alone.
  const log = createLog({ service: "operator", level: "silent", pretty: false });
  const located = {
    ...env,
    DS_DATA_DIR: env["DATABASE_URL"] === undefined ? findDataDirectory(env) : env["DS_DATA_DIR"],
  };
  return await withConfiguredDatabase(env, { report: (line) => console.error(line) }, async (database) => {
    await migrate(database, vaultMigrations);
    const blobs = await openBlobStore(locateFiles(readSettings(filesSettings, located)), log);
    return await work({ database, blobs, clock: systemClock, log });
  });
}

/** Reads an eName of the command line. Refuses: StartupError 78. */
export function readEName(text: string): EName {
  try {
    return parseEName(text);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
