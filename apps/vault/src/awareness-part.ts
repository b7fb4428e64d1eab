import type { LaneRunner } from "@dataspace/lanes/lane-runner";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, DatabaseConfig } from "@dataspace/service-kit/postgres/database";
import type { Tracer } from "@dataspace/service-kit/tracing/tracer";
import type { ReportErasure } from "./leaving/report-erasures.ts";
import { startDispatcherThread } from "./outgoing/dispatcher-thread.ts";
import { type DispatchLog, startEventDispatcher } from "./outgoing/event-dispatcher.ts";
import { type AwarenessAddress, createHandOver } from "./outgoing/hand-over.ts";
import { createReportErasure } from "./outgoing/report-erasure.ts";

/** What the vault sends to the awareness service: events, from the moment it listens, and erasures. */
export interface AwarenessPart {
  readonly startDispatcher: () => LaneRunner;
  readonly reportErasure: ReportErasure;
}

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

/**
 * Makes the vault's requests to the awareness service. The dispatcher runs in a separate thread, or in this one where
 * database use is watched or time is not the system's.
 *
 * Out: undefined where there is no awareness service. Refuses: never. Source: S1 "Events" 2; decisions E1, V18.
 */
export function createAwarenessPart(
  deps: DispatchingDeps,
  awareness: AwarenessAddress | undefined,
): AwarenessPart | undefined {
  if (awareness === undefined) return undefined;
  return {
    startDispatcher: () => startDispatcher(deps, awareness),
    reportErasure: createReportErasure({ fetch }, awareness),
  };
}

function startDispatcher(
  { database, databaseConfig, clock, log, tracer }: DispatchingDeps,
  awareness: AwarenessAddress,
): LaneRunner {
  if (databaseConfig !== undefined)
    return startDispatcherThread({ log }, { database: databaseConfig, awareness, tracing: tracer?.config });
  const times = { monotonicMs: () => performance.now(), random: Math.random };
  const handOver = createHandOver({ fetch }, awareness);
  return startEventDispatcher({ base: { database, clock, log, tracer }, ...times, handOver });
}
