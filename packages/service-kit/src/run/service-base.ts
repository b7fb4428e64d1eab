import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { Database } from "../postgres/database.ts";
import type { Tracer } from "../tracing/tracer.ts";

/** What every service works on: its database, the time, its log, its metrics and its traces. */
export interface ServiceBase {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** For work that no request causes; undefined without a collector. */
  readonly tracer?: Tracer | undefined;
}
