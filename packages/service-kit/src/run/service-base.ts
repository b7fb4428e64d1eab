import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { Database } from "../postgres/database.ts";

/** What every service works on: its database, the time, its log and its metrics. */
export interface ServiceBase {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}
