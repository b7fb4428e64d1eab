import { setTimeout as sleep } from "node:timers/promises";
import { type LaneLog, type LaneRunner, type LeasedLanes, startLaneRunner } from "@dataspace/lanes/lane-runner";
import { claimLanes } from "../store/claim-lanes.ts";
import { readDueDeliveries } from "../store/due-delivery.ts";
import { type AttemptDeps, createAttemptDelivery, type DueLane } from "./attempt-delivery.ts";
import { AT_ONCE, createTakeBody } from "./bodies-in-flight.ts";
import { createConsumerLimits, MOST_OF_CONSUMER, MOST_OF_SLOW } from "./consumer-limits.ts";
import { FIRST_IN_FLIGHT } from "./endpoint-circuit.ts";
import { type AttemptEnd, createInFlightLimits, type EndedAttempt } from "./in-flight-limits.ts";
import { isTaken, type WebhookOutcome } from "./send-webhook.ts";

/** Claims due lanes with their next delivery, each subscription within its own limit, and attempts them. */
export interface DeliveryWork {
  readonly claim: (limit: number) => Promise<readonly DueLane[]>;
  readonly work: (leased: LeasedLanes<DueLane>) => Promise<boolean>;
}

const LEASE_MS = 20_000;
/** An attempt ends after 5 s; the rest is for settling it. */
const LONGEST_ATTEMPT_MS = 8_000;
const POLL_MS = 1_000;
const GATHER_MS = 3;
/** How long an endpoint stays occupied after an oversized answer, which also costs its connection. */
const REST_MS = 100;
const LIMITS = { subscription: FIRST_IN_FLIGHT, consumer: MOST_OF_CONSUMER, slow: MOST_OF_SLOW };
const NO_ATTEMPT: EndedAttempt = { end: undefined, durationMs: 0 };

/** Makes the work on deliveries, for a runner. Refuses: as an attempt. Source: decisions E1, E2, V25. */
export function createDeliveryWork(deps: AttemptDeps): DeliveryWork {
  const attempt = createAttemptDelivery(deps, createTakeBody(deps.rows.database));
  const endpoints = createInFlightLimits();
  const consumers = createConsumerLimits();
  async function workOn(lane: DueLane, isHeld: () => boolean): Promise<boolean> {
    const id = lane.key.subscription_id;
    const isTroubled = lane.due?.subscriber.isTroubled ?? false;
    let ended = NO_ATTEMPT;
    let isNoted = false;
    endpoints.begin(id);
    consumers.begin(lane);
    try {
      const { isDue } = await attempt(lane, {
        isHeld,
        onOutcome: (outcome) => {
          ended = { end: endOf(outcome), durationMs: outcome.durationMs };
          if (ended.end !== "delivered") return;
          // While its circuit is half open, the circuit decides how many more are allowed, once this one is settled.
          if (isTroubled) ended = NO_ATTEMPT;
          else endpoints.end(id, ended);
          isNoted = !isTroubled;
        },
      });
      if (ended.end === "oversized") await sleep(REST_MS);
      return isDue || isTroubled || endpoints.mayHaveMoreDue(id) || consumers.mayHaveMoreDue(lane.consumerId);
    } finally {
      if (!isNoted) endpoints.end(id, ended);
      consumers.end(lane);
    }
  }
  return {
    claim: async (limit) => {
      const nowMs = deps.clock.nowMs();
      const claimed = endpoints.claim();
      const known = { subscriptions: endpoints.known(), consumers: consumers.known };
      const lanes = await claimLanes(deps.rows.database, { nowMs, leaseMs: LEASE_MS, limit, limits: LIMITS, ...known });
      claimed(lanes.map(({ key }) => key.subscription_id));
      consumers.claimed(lanes);
      const due = await readDueDeliveries(deps.rows.database, lanes, nowMs);
      return lanes.map((lane, place) => ({ ...lane, due: due[place] }));
    },
    work: async ({ lanes, holdsFor }) => {
      const isHeld = () => holdsFor(LONGEST_ATTEMPT_MS);
      return (await Promise.all(lanes.map((lane) => workOn(lane, isHeld)))).includes(true);
    },
  };
}

/**
 * Starts delivering webhooks until it is disposed of: when woken, when an attempt ends, and every second.
 *
 * Any number of workers may share a database. One worker has at most 256 attempts in flight: 64 of one consumer, 16 of
 * that consumer's slow endpoints, 8 to 64 of one subscription. So hanging endpoints delay nobody else. The bodies in
 * flight use at most 64 MiB, 16 MiB of one consumer. An endpoint with oversized answers, each of which costs a new
 * connection, gets one request at a time and at most ten a second.
 * Refuses: never. Source: S1 "Delivery rules"; decisions E1, E2, V25.
 */
export function startDeliveryWorker(
  deps: AttemptDeps,
  runner: { readonly log: LaneLog; readonly monotonicMs: () => number },
): LaneRunner {
  const config = { leaseMs: LEASE_MS, batchSize: 1, concurrency: AT_ONCE, pollMs: POLL_MS, gatherMs: () => GATHER_MS };
  return startLaneRunner({ ...runner, ...createDeliveryWork(deps) }, config);
}

/** The result for the endpoint: one whose answer does not end has the event, but counts as one that hangs. */
function endOf(outcome: WebhookOutcome): AttemptEnd {
  if (!isTaken(outcome) || outcome.brokenOff === "unfinished") return "failed";
  return outcome.brokenOff === "too_large" ? "oversized" : "delivered";
}
