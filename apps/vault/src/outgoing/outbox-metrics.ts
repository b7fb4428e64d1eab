import { addInvariant } from "@dataspace/service-kit/monitoring/invariant-metric";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { readOutboxDepth } from "../store/outbox-rows.ts";

/**
 * Measures the outbox, whether or not anything is sending it. All processes on one database report the same values.
 *
 * Refuses: never. Source: decisions E1, P6; T-62.
 */
export function measureOutbox(deps: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}): void {
  const failInvariant = addInvariant(deps, "streams whose events wait without ever being due");
  deps.metrics.addFigures(
    {
      outbox_depth: "Events that wait to be sent to the awareness service; counted to 100,000.",
      outbox_oldest_seconds: "How long the oldest of them has waited; 0 when none does.",
    },
    async () => {
      const { events, oldestAtMs, stalled } = await readOutboxDepth(deps.database);
      failInvariant(stalled);
      const oldestMs = oldestAtMs === undefined ? 0 : Math.max(0, deps.clock.nowMs() - oldestAtMs);
      return { outbox_depth: events, outbox_oldest_seconds: oldestMs / 1_000 };
    },
  );
}
