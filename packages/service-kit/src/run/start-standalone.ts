import type { ListenConfig } from "../http/listen.ts";
import { createLog, type Log } from "../log.ts";
import { listenWithAdmin } from "../monitoring/listen-with-admin.ts";
import { createMetrics, type Metrics } from "../monitoring/metrics.ts";
import type { Database, DatabaseConfig } from "../postgres/database.ts";
import { openServiceDatabase, type ServiceDatabaseConfig } from "../storage/service-database.ts";
import type { FastifyInstance } from "fastify";

/** A service that listens at `url` until it is disposed of. */
export interface RunningStandalone extends AsyncDisposable {
  readonly url: string;
}

/** The dependencies of a service that runs alone; `listensAt` is its address, once it listens. */
export interface StandaloneDeps {
  readonly database: Database;
  /** Opens the same database again, for example in another thread. */
  readonly databaseConfig: DatabaseConfig;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Resources in it are closed after the server. */
  readonly opened: AsyncDisposableStack;
  readonly listensAt: () => string;
}

/** A service that is ready to listen, and what to do once it listens. */
export interface BuiltStandalone {
  readonly app: FastifyInstance;
  readonly afterListening?: () => Promise<void>;
}

/**
 * Starts a service alone: opens its storage, builds it, listens, and opens its admin port.
 *
 * In: `build` applies migrations and makes the server; `abort` ends the wait for the database.
 * Refuses: as `openServiceDatabase`, `build` and `listen`; everything that was opened is closed again. Source:
 * decisions P5, P6.
 */
export async function startStandalone(
  config: ServiceDatabaseConfig & ListenConfig,
  build: (parts: StandaloneDeps) => Promise<BuiltStandalone>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const log = createLog({ service: config.service, level: "info", pretty: false });
  await using opened = new AsyncDisposableStack();
  const { database, databaseConfig } = await openServiceDatabase(opened, { log, abort }, config);
  let listensAt = "";
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const { app, afterListening } = await build({
    database,
    databaseConfig,
    log,
    metrics,
    opened,
    listensAt: () => listensAt,
  });
  const { url, adminUrl } = await listenWithAdmin(opened, { service: app, database, metrics, log }, config);
  listensAt = url;
  log.info({ url, adminUrl }, `the ${config.service} service listens`);
  await afterListening?.();
  const running = opened.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
