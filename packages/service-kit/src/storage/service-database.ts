import { fileURLToPath } from "node:url";
import type { Log } from "../log.ts";
import { type Database, type DatabaseConfig, openDatabase } from "../postgres/database.ts";
import { openDataDirectory } from "./data-directory.ts";
import { openStorage } from "./storage.ts";
import { recordStorage } from "./storage-record.ts";

/** Where a service that runs alone stores its tables. */
export interface ServiceStorage {
  /** An operator's PostgreSQL; undefined: an embedded one in `dataDirectory`. */
  readonly databaseUrl: string | undefined;
  readonly dataDirectory?: string | undefined;
  readonly production: boolean;
  /** How long `/readyz` refuses before the service stops accepting, so that a load balancer sends nothing to it. */
  readonly drainSeconds?: number;
  /** The address of the collector of traces; undefined: there are none. */
  readonly tracesTo?: string | undefined;
}

/**
 * The database of a service that runs alone: its storage, the number of connections, and the time limit of a statement.
 */
export interface ServiceDatabaseConfig extends ServiceStorage {
  readonly service: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
}

const CHECKOUT_DIRECTORY = fileURLToPath(new URL("../../../../", import.meta.url));
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the database of a service that runs alone, with everything it needs, into `opened`, which closes it.
 *
 * In: `abort` ends the wait for the database. Out: the database, and how it was opened. Refuses: as `openDataDirectory`
 * (75) and `openStorage` (78).
 * Source: decisions P4, P5.
 */
export async function openServiceDatabase(
  opened: AsyncDisposableStack,
  { log, abort }: { readonly log: Log; readonly abort: AbortSignal | undefined },
  config: ServiceDatabaseConfig,
): Promise<{ readonly database: Database; readonly databaseConfig: DatabaseConfig }> {
  const { service, databaseUrl, dataDirectory = "", production } = config;
  const report = (line: string): void => log.warn(line);
  const directory =
    databaseUrl === undefined ? opened.use(await openDataDirectory(dataDirectory, { report })) : undefined;
  const where = { databaseUrl, dataDirectory: directory?.path ?? "", checkoutDirectory: CHECKOUT_DIRECTORY };
  const storage = opened.use(await openStorage({ ...where, report, production, signal: abort }));
  if (directory !== undefined) opened.use(recordStorage(directory.path, storage.url));
  log.info(storage.description);
  const databaseConfig = {
    url: storage.url,
    maxConnections: config.maxConnections,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    applicationName: `dataspace-${service}`,
  };
  const onIdleError = (error: Error): void => log.warn({ err: error }, "an idle connection was lost");
  return { database: opened.use(openDatabase(databaseConfig, onIdleError)), databaseConfig };
}
