import { type HeldLanes, type LaneLog, type LaneRunner, startLaneRunner } from "@dataspace/lanes/lane-runner";
import type { Lane } from "@dataspace/lanes/lane";
import { type ClaimedLane, claimLanes, type LaneColumn } from "../store/claim-lanes.ts";
import { type AttemptDeps, createAttemptDelivery } from "./attempt-delivery.ts";
import { IN_FLIGHT_CAP } from "./endpoint-circuit.ts";

/** Claims due lanes and attempts what is next on them, each subscription within its own room. */
export interface DeliveryWork {
  readonly claim: (limit: number) => Promise<readonly ClaimedLane[]>;
  readonly work: (held: HeldLanes<LaneColumn>) => Promise<void>;
}

const LEASE_MS = 20_000;
/** An attempt ends after 5 s; the rest is for settling it. */
const LONGEST_ATTEMPT_MS = 8_000;
const AT_ONCE = 256;
const POLL_MS = 1_000;
const GATHER_MS = 5;

/** Makes the work on deliveries, for a runner to do. Refuses: as an attempt. Source: decisions E1, E2. */
export function createDeliveryWork(deps: AttemptDeps): DeliveryWork {
  const attempt = createAttemptDelivery(deps);
  const underWay = new Map<string, number>();
  const probes = new WeakSet<Lane<LaneColumn>>();
  return {
    claim: async (limit) => {
      const nowMs = deps.clock.nowMs();
      const claimed = await claimLanes(deps.database, {
        nowMs,
        leaseMs: LEASE_MS,
        limit,
        cap: IN_FLIGHT_CAP,
        underWay,
      });
      for (const lane of claimed) if (lane.isProbe) probes.add(lane);
      return claimed;
    },
    work: async ({ lanes, holdsFor }) => {
      await Promise.all(
        lanes.map(async (lane) => {
          const { subscription_id: id } = lane.key;
          underWay.set(id, (underWay.get(id) ?? 0) + 1);
          try {
            await attempt({ ...lane, isProbe: probes.has(lane) }, () => holdsFor(LONGEST_ATTEMPT_MS));
          } finally {
            const left = (underWay.get(id) ?? 1) - 1;
            if (left === 0) underWay.delete(id);
            else underWay.set(id, left);
          }
        }),
      );
    },
  };
}

/**
 * Starts delivering webhooks until it is disposed of: when woken, when an attempt ends, and every second.
 *
 * Any number of workers may share a database. One worker has at most 256 attempts under way, at most 8 of one subscription, so
 * that an endpoint that hangs holds up nobody else. Refuses: never. Source: S1 "Delivery rules"; decisions E1, E2.
 */
export function startDeliveryWorker(
  deps: AttemptDeps & { readonly log: LaneLog; readonly monotonicMs: () => number },
): LaneRunner {
  const config = { leaseMs: LEASE_MS, batchSize: 1, concurrency: AT_ONCE, pollMs: POLL_MS, gatherMs: GATHER_MS };
  return startLaneRunner({ ...deps, ...createDeliveryWork(deps) }, config);
}
