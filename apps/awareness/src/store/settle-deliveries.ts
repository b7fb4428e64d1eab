import { createGathering } from "@dataspace/lanes/gather";
import {
  createLanes,
  type LaneCompletion,
  type LaneEnclosure,
  type LaneFailure,
  type Lanes,
} from "@dataspace/lanes/lanes";
import type { LaneKey } from "@dataspace/lanes/lane";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { ClaimedLane, LaneColumn } from "./claim-lanes.ts";
import { giveUpOverdue } from "./give-up-overdue.ts";

/** One attempt in the log. Times in milliseconds (UTC). */
export interface AttemptRow {
  readonly id: string;
  readonly eventId: string;
  readonly number: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** How the next delivery of a lane ended; `attempt` where one was made. */
export interface SettledDelivery {
  readonly streamVersion: number;
  readonly state: "delivered" | "dead" | "skipped";
  readonly reason: string | null;
  readonly attempt: AttemptRow | undefined;
}

/**
 * The ends of an attempt on a claimed lane. Where the lane continues, the result is whether it is due again already.
 * For a lane whose lease was lost only the attempt is written.
 */
export interface DeliverySettling {
  readonly settle: (lane: ClaimedLane, delivery: SettledDelivery) => Promise<boolean>;
  readonly retry: (lane: ClaimedLane, attempt: AttemptRow, nextAtMs: number) => Promise<void>;
  /** Releases a lane without an attempt; it is due again at `nextAtMs`, or at once. */
  readonly release: (lane: ClaimedLane, nextAtMs?: number) => Promise<void>;
  /** Nothing was pending up to the tail that was read. */
  readonly rest: (lane: ClaimedLane) => Promise<boolean>;
  /** Turns a subscription's overdue deliveries into dead letters, unsent. Out: how many deliveries. */
  readonly giveUp: (subscriptionId: string) => Promise<number>;
}

const LANE_TABLE = {
  name: "lane",
  key: [
    { name: "subscription_id", type: "uuid" },
    { name: "dsid", type: "text" },
    { name: "record_id", type: "text" },
  ],
  whenDone: "retained",
} as const;

const LOG_ATTEMPT = {
  name: "attempt",
  text: `
insert into attempt (id, subscription_id, event_id, number, started_at, duration_ms, status, error, answer)
select a.id, held.subscription_id, a."eventId", a.number, to_timestamp(a."startedAtMs" / 1000.0), a."durationMs",
       a.status, a.error, case when a.status is not null then convert_from(held.attachment, 'UTF8') end
  from held cross join lateral jsonb_to_record(held.details -> 'attempt') as a (
    id uuid, "eventId" uuid, number int, "startedAtMs" bigint, "durationMs" int, status int, error text)
 where jsonb_typeof(held.details -> 'attempt') = 'object'`,
};

const SETTLE = {
  name: "delivery",
  text: `
update delivery d set state = held.details ->> 'state', reason = held.details ->> 'reason', settled_at = $1::timestamptz
  from held
 where d.subscription_id = held.subscription_id and d.dsid = held.dsid and d.record_id = held.record_id
   and d.stream_version = held.version and held.details ->> 'state' is not null`,
};

/**
 * The largest number of lanes in one settling statement; a value that the database refuses affects only its own lane.
 */
const TOGETHER = {
  most: 128,
  gatherMs: 3,
  isPerItemError: (error: unknown): boolean => /^2[23]/.test(String((error as { readonly code?: unknown }).code)),
};

/**
 * Makes the ends of attempts on a migrated database. Those that end within 3 ms, or while a statement runs, are settled
 * together by the next one. Refuses: never by itself. Source: decisions E1, E2.
 */
export function createDeliverySettling(deps: { readonly database: Database; readonly clock: Clock }): DeliverySettling {
  const lanes: Lanes<LaneColumn> = createLanes(deps, LANE_TABLE);
  const complete = createGathering(async (completions: readonly LaneCompletion<LaneColumn>[]) => {
    const held = await lanes.complete(completions, [SETTLE, LOG_ATTEMPT]);
    const isDueByName = new Map(held.map(({ key, isDue }) => [nameOf(key), isDue]));
    return completions.map(({ lane }) => isDueByName.get(nameOf(lane.key)));
  }, TOGETHER);
  const fail = createGathering(async (failures: readonly LaneFailure<LaneColumn>[]) => {
    const held = new Set((await lanes.fail(failures, [LOG_ATTEMPT])).map(nameOf));
    return failures.map(({ lane }) => held.has(nameOf(lane.key)));
  }, TOGETHER);
  return {
    settle: async (lane, { streamVersion, state, reason, attempt }) => {
      const isDue = await complete({ lane, version: streamVersion, ...enclose(attempt, { state, reason }) });
      if (isDue === undefined && attempt !== undefined) await logAlone(deps.database, lane, attempt);
      return isDue ?? false;
    },
    retry: async (lane, attempt, nextAtMs) => {
      const isHeld = await fail({ lane, nextAtMs, ...enclose(attempt) });
      if (!isHeld) await logAlone(deps.database, lane, attempt);
    },
    release: async (lane, nextAtMs) => {
      await lanes.release([lane], nextAtMs);
    },
    rest: async (lane) => (await complete({ lane, version: lane.tailVersion, details: {} })) ?? false,
    giveUp: (subscriptionId) => giveUpOverdue(deps.database, subscriptionId, deps.clock.nowMs()),
  };
}

function nameOf({ subscription_id, dsid, record_id }: LaneKey<LaneColumn>): string {
  return `${subscription_id} ${dsid} ${record_id}`;
}

/**
 * An attempt's answer may be long, and is sent as bytes: as a part of the details it would be written and parsed four
 * times.
 */
function enclose(logged: AttemptRow | undefined, details: object = {}): LaneEnclosure {
  if (logged === undefined) return { details };
  const { answer, ...attempt } = logged;
  return { details: { ...details, attempt }, attachment: Buffer.from(answer ?? "") };
}

async function logAlone(database: Database, lane: ClaimedLane, attempt: AttemptRow): Promise<void> {
  const { details, attachment } = enclose(attempt);
  await database.query({
    name: "log-attempt-alone",
    text: `with held as (select $1::uuid as subscription_id, $2::jsonb as details, $3::bytea as attachment)
           ${LOG_ATTEMPT.text}`,
    values: [lane.key.subscription_id, JSON.stringify(details), attachment],
  });
}
