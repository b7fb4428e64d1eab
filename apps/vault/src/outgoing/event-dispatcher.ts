import { backOffMs } from "@dataspace/lanes/back-off";
import { type LaneLog, type LaneRunner, type LeasedLanes, startLaneRunner } from "@dataspace/lanes/lane-runner";
import { createLanes, type LaneCompletion, type Lanes } from "@dataspace/lanes/lanes";
import type { Lane } from "@dataspace/lanes/lane";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import {
  DELETE_SENT_EVENTS,
  listWaitingEvents,
  OUTBOX,
  type OutboxColumn,
  type WaitingEvent,
} from "../store/outbox-rows.ts";
import { type AwarenessPause, createAwarenessPause } from "./awareness-pause.ts";
import { cutBatch, MOST_BYTES, MOST_EVENTS } from "./event-batch.ts";
import { HAND_OVER_MS, type HandOver, type HandOverOutcome, type IngestStatus } from "./hand-over.ts";
import { createSendingSpans } from "./sending-spans.ts";

/** The part of a log that the dispatcher writes to. */
export interface DispatchLog extends LaneLog {
  readonly error: LaneLog["warn"];
}

/** The dispatcher's dependencies: `monotonicMs` counts up and is never set, `random` gives 0 up to 1. */
export interface EventDispatcherDeps {
  readonly base: Pick<ServiceBase, "database" | "clock" | "tracer"> & { readonly log: DispatchLog };
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly handOver: HandOver;
}

type OutboxLane = Lane<OutboxColumn>;

interface Dispatch extends EventDispatcherDeps {
  readonly lanes: Lanes<OutboxColumn>;
  readonly pause: AwarenessPause;
}

const LEASE_MS = 20_000;
/** The time limit of a request to the awareness service, and of the statements around it. */
const NEEDED_MS = HAND_OVER_MS + 1_000;
const AT_ONCE = 2;
const POLL_MS = 1_000;
/** Starts with a few events at once; under load more share a request, so that they cost mutations less. */
const gatherMs = (claimed: number): number => Math.min(5 + claimed ** 2 / 8, 200);
/** Source: T-62. */
const BACK_OFF = { firstMs: 250, longestMs: 30_000 };
/** A rejection ends when an address or a setting changes, so its stream is retried less often. Source: decision E5. */
const REJECTED_BACK_OFF = { firstMs: 1_000, longestMs: 300_000 };

/**
 * Starts sending the outbox to the awareness service: each stream's events in order, lowest version first, until they
 * are acknowledged and deleted here. Any number of processes may do so on one database.
 *
 * Out: `wake()` after a commit; disposing of it waits for work in progress. Refuses: never.
 * Source: S1 "Events" 2, "Delivery rules"; decisions E1, E5.
 */
export function startEventDispatcher(deps: EventDispatcherDeps): LaneRunner {
  const lanes = createLanes(deps.base, OUTBOX);
  const pause = createAwarenessPause({ ...deps.base, random: deps.random }, BACK_OFF);
  const dispatch: Dispatch = { ...deps, lanes, pause };
  return startLaneRunner(
    {
      claim: async (most) => {
        const limit = pause.admit(most);
        return limit === 0 ? [] : lanes.claim({ limit, leaseMs: LEASE_MS });
      },
      work: (leased) => sendLeased(dispatch, leased),
      log: deps.base.log,
      monotonicMs: deps.monotonicMs,
    },
    { leaseMs: LEASE_MS, batchSize: MOST_EVENTS, concurrency: AT_ONCE, pollMs: POLL_MS, gatherMs },
  );
}

// Lanes that failed before are sent alone, so that an event that is refused, or that breaks its reader, delays no
// other.
async function sendLeased(dispatch: Dispatch, leased: LeasedLanes<OutboxLane>): Promise<boolean> {
  const fresh = leased.lanes.filter(({ attempts }) => attempts === 1);
  const groups = leased.lanes.filter(({ attempts }) => attempts > 1).map((lane) => [lane]);
  if (fresh.length > 0) groups.unshift(fresh);
  while (groups.length > 0 && leased.holdsFor(NEEDED_MS)) {
    const outcome = await sendTogether(dispatch, { ...leased, lanes: groups.shift() as OutboxLane[] });
    if (outcome === "unavailable") break;
  }
  await dispatch.lanes.release(groups.flat());
  return true;
}

async function sendTogether(
  dispatch: Dispatch,
  leased: LeasedLanes<OutboxLane>,
): Promise<HandOverOutcome["kind"] | "none"> {
  const { lanes, pause, handOver } = dispatch;
  const { database, tracer } = dispatch.base;
  const perLane = Math.max(1, Math.floor(MOST_EVENTS / leased.lanes.length));
  const waiting = await listWaitingEvents(database, leased.lanes, { perLane, bytes: MOST_BYTES });
  const spans = createSendingSpans(tracer);
  const { events, body } = cutBatch(waiting, spans.traceparentOf);
  const withEvents = new Set(waiting.map(({ lane }) => lane));
  const empty = leased.lanes.filter((lane) => !withEvents.has(lane));
  await lanes.complete(empty.map((lane) => ({ lane, version: lane.tailVersion })));
  const sent = new Set(events.map(({ lane }) => lane));
  await lanes.release([...withEvents].filter((lane) => !sent.has(lane)));
  if (events.length === 0 || !leased.holdsFor(NEEDED_MS)) return "none";
  const outcome = await handOver(body);
  spans.end(events, outcome);
  if (outcome.kind === "unavailable") pause.failed(outcome.reason);
  else pause.answered();
  await settle(dispatch, events, outcome);
  return outcome.kind;
}

async function settle(dispatch: Dispatch, events: readonly WaitingEvent[], outcome: HandOverOutcome): Promise<void> {
  const { lanes, random } = dispatch;
  const all = new Set(events.map(({ lane }) => lane));
  const completions = outcome.kind === "answered" ? acknowledged(events, outcome.statuses) : [];
  logOutcome(dispatch, events, outcome);
  for (const { lane } of completions) all.delete(lane);
  const rejected = outcome.kind === "answered" ? rejectedLanes(events, outcome.statuses) : new Set();
  const failures = [...all].map((lane) => ({
    lane,
    nextAtMs:
      dispatch.base.clock.nowMs() + backOffMs(rejected.has(lane) ? REJECTED_BACK_OFF : BACK_OFF, lane.attempts, random),
  }));
  await lanes.complete(completions, [DELETE_SENT_EVENTS]);
  await lanes.fail(failures);
}

/** How far each lane was acknowledged without a gap. */
function acknowledged(
  events: readonly WaitingEvent[],
  statuses: ReadonlyMap<string, IngestStatus>,
): readonly LaneCompletion<OutboxColumn>[] {
  const versions = new Map<OutboxLane, number>();
  const stopped = new Set<OutboxLane>();
  for (const { lane, eventId, streamVersion } of events) {
    const status = statuses.get(eventId);
    if (status === undefined || status === "rejected") stopped.add(lane);
    else if (!stopped.has(lane)) versions.set(lane, streamVersion);
  }
  return [...versions].map(([lane, version]) => ({ lane, version }));
}

function rejectedLanes(
  events: readonly WaitingEvent[],
  statuses: ReadonlyMap<string, IngestStatus>,
): ReadonlySet<OutboxLane> {
  return new Set(events.filter(({ eventId }) => statuses.get(eventId) === "rejected").map(({ lane }) => lane));
}

function logOutcome({ base: { log } }: Dispatch, events: readonly WaitingEvent[], outcome: HandOverOutcome): void {
  if (outcome.kind === "refused" && events.length > 0) {
    const eventIds = events.slice(0, 3).map(({ eventId }) => eventId);
    log.error({ reason: outcome.reason, events: events.length, eventIds }, "the awareness service refused events");
  }
  if (outcome.kind !== "answered") return;
  for (const { eventId } of events) {
    const status = outcome.statuses.get(eventId);
    if (status === "conflict") {
      log.error({ eventId }, "the awareness service knows this event with other content; it was not sent again");
    } else if (status === "rejected") {
      log.error({ eventId }, "the awareness service rejected this event; it will be sent again");
    }
  }
}
