import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, DatabaseConfig } from "@dataspace/service-kit/postgres/database";
import type { Tracer } from "@dataspace/service-kit/tracing/tracer";
import { startDispatcherThread } from "./outgoing/dispatcher-thread.ts";
import { type DispatchLog, startEventDispatcher } from "./outgoing/event-dispatcher.ts";
import { type AwarenessAddress, createHandOver } from "./outgoing/hand-over.ts";
import { createReportErasure } from "./outgoing/report-erasure.ts";
import type { VaultServerDeps } from "./server.ts";

/**
 * The dependencies of a dispatcher; `databaseConfig` is how a thread opens the database, undefined where its use is
 * watched.
 */
export interface DispatchingDeps {
  readonly database: Database;
  readonly databaseConfig: DatabaseConfig | undefined;
  readonly clock: Clock;
  readonly log: DispatchLog;
  readonly tracer?: Tracer | undefined;
}

/** Makes the report of erasures to the awareness service; undefined where there is none. Source: decision V18. */
export function createErasureReport(awareness: AwarenessAddress | undefined): VaultServerDeps["reportErasure"] {
  return awareness === undefined ? undefined : createReportErasure({ fetch }, awareness);
}

/**
 * Returns how the vault starts its dispatcher: in a separate thread, or in this one where database use is watched or
 * time is not the system's.
 *
 * Out: undefined where there is no awareness service. Refuses: never. Source: S1 "Events" 2; decision E1.
 */
export function createStartDispatcher(
  { database, databaseConfig, clock, log, tracer }: DispatchingDeps,
  awareness: AwarenessAddress | undefined,
): VaultServerDeps["startDispatcher"] {
  if (awareness === undefined) return undefined;
  if (databaseConfig !== undefined) {
    return () => startDispatcherThread({ log }, { database: databaseConfig, awareness, tracing: tracer?.config });
  }
  const times = { monotonicMs: () => performance.now(), random: Math.random };
  const handOver = createHandOver({ fetch }, awareness);
  return () => startEventDispatcher({ database, clock, log, ...times, handOver, tracer });
}
