import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../clock.ts";
import type { ListenConfig } from "../http/listen.ts";
import { createLog } from "../log.ts";
import { createDiskCheck } from "../monitoring/disk-space.ts";
import { listenWithAdmin } from "../monitoring/listen-with-admin.ts";
import { createMetrics } from "../monitoring/metrics.ts";
import { addReadinessCheck } from "../monitoring/readiness.ts";
import type { DatabaseConfig } from "../postgres/database.ts";
import type { MigrationSource } from "../postgres/migrations.ts";
import { prepareSchema } from "../postgres/prepare-schema.ts";
import { openServiceDatabase, type ServiceDatabaseConfig } from "../storage/service-database.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import { traceRequests } from "../tracing/trace-requests.ts";
import type { ServiceBase } from "./service-base.ts";
import type { FastifyInstance } from "fastify";

/** A service that listens at `url` until it is disposed of. */
export interface RunningStandalone extends AsyncDisposable {
  readonly url: string;
}

/** The dependencies of a service that runs alone; `listensAt` is its address, once it listens. */
export interface StandaloneDeps {
  readonly base: ServiceBase;
  /** Opens the same database again, for example in another thread. */
  readonly databaseConfig: DatabaseConfig;
  /** Resources in it are closed after the server. */
  readonly opened: AsyncDisposableStack;
  readonly listensAt: () => string;
}

/** A service that runs alone: its storage, where it listens, its tables, and the directories in which it writes files. */
export interface StandaloneConfig extends ServiceDatabaseConfig, ListenConfig {
  readonly migrations: readonly MigrationSource[];
  readonly directories?: readonly string[];
}

/** A service that is ready to listen, and what to do once it listens. */
export interface BuiltStandalone {
  readonly app: FastifyInstance;
  readonly afterListening?: () => Promise<void>;
}

/**
 * Starts a service alone: opens its storage, makes its tables ready, builds it, listens, and opens its admin port.
 *
 * In: `build` makes the server; `abort` ends the wait for the database.
 * Refuses: as `openServiceDatabase`, `prepareSchema`, `build` and `listen`; everything that was opened is closed again. Source:
 * decisions P5, P6.
 */
export async function startStandalone(
  config: StandaloneConfig,
  build: (parts: StandaloneDeps) => Promise<BuiltStandalone>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const log = createLog({ service: config.service, level: "info", pretty: false });
  await using opened = new AsyncDisposableStack();
  const tracer = await startTracing(opened, { endpoint: config.tracesTo, service: config.service }, log);
  const { database, databaseConfig } = await openServiceDatabase(opened, { log, abort }, config);
  await prepareSchema({ database, log }, config.migrations, config.production);
  let listensAt = "";
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const { app, afterListening } = await build({
    base: { database, clock: systemClock, log, metrics, tracer },
    databaseConfig,
    opened,
    listensAt: () => listensAt,
  });
  if (tracer !== undefined) traceRequests(app, tracer);
  let isStopping = false;
  addReadinessCheck(app, () => (isStopping ? "The service is stopping." : undefined));
  const own = config.databaseUrl === undefined && config.dataDirectory !== undefined ? [config.dataDirectory] : [];
  for (const directory of [...own, ...(config.directories ?? [])]) addReadinessCheck(app, createDiskCheck(directory));
  const parts = { name: config.service, service: app, database, metrics, log };
  const { url, adminUrl } = await listenWithAdmin(opened, parts, config);
  listensAt = url;
  log.info({ url, adminUrl }, `the ${config.service} service listens`);
  await afterListening?.();
  const running = opened.move();
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      await sleep((config.drainSeconds ?? 0) * 1_000);
      await running.disposeAsync();
    },
  };
}
