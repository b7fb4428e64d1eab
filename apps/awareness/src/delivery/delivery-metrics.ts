import { addInvariant } from "@dataspace/service-kit/monitoring/invariant-metric";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { readDeliveryDepth } from "../store/delivery-depth.ts";
import type { DeliverySettling } from "../store/settle-deliveries.ts";

const RESULTS = ["delivered", "retried", "dead", "skipped"] as const;

/**
 * Measures what waits to be delivered. All processes on one database report the same values.
 *
 * Refuses: never. Source: decisions E1, P6.
 */
export function measureDeliveries(deps: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}): void {
  const failInvariant = addInvariant(deps, "lanes whose deliveries wait without ever being due");
  deps.metrics.addFigures(
    {
      lanes_waiting: "Records of active subscriptions on which something waits to be delivered; counted to 100,000.",
      deliveries_oldest_seconds:
        "How long the oldest of it has waited since it came or was asked for again, or longer.",
      dlq_depth: "Dead letters of subscriptions that were not removed; counted to 100,000.",
    },
    async () => {
      const { lanes, oldestAtMs, dead, stalled } = await readDeliveryDepth(deps.database);
      failInvariant(stalled);
      const oldestMs = oldestAtMs === undefined ? 0 : Math.max(0, deps.clock.nowMs() - oldestAtMs);
      return { lanes_waiting: lanes, deliveries_oldest_seconds: oldestMs / 1_000, dlq_depth: dead };
    },
  );
}

/**
 * Counts, for this process, the results of deliveries when they are settled. Refuses: as `settling`. Source: decision
 * P6.
 */
export function countSettling(settling: DeliverySettling, metrics: Metrics): DeliverySettling {
  const count = metrics.addCounter({
    name: "deliveries_total",
    help: "What became of deliveries: delivered, retried after an attempt that failed, dead, or skipped.",
    labels: ["result"],
  });
  for (const result of RESULTS) count({ result }, 0);
  return {
    settle: async (lane, delivery) => {
      const isDue = await settling.settle(lane, delivery);
      count({ result: delivery.state });
      return isDue;
    },
    retry: async (lane, attempt, nextAtMs) => {
      await settling.retry(lane, attempt, nextAtMs);
      count({ result: "retried" });
    },
    giveUp: async (subscriptionId) => {
      const dead = await settling.giveUp(subscriptionId);
      count({ result: "dead" }, dead);
      return dead;
    },
    release: settling.release,
    rest: settling.rest,
  };
}
