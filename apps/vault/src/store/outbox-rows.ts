import type { Lane, LaneTable } from "@dataspace/lanes/lane";
import type { NamedStatement } from "@dataspace/lanes/lane-statements";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The columns that identify a lane of the outbox: the owner and the record. */
export type OutboxColumn = "owner" | "stream_id";

/** The outbox as a table of lanes: only those with a waiting event. */
export const OUTBOX: LaneTable<OutboxColumn> = {
  name: "outbox_lane",
  key: [
    { name: "owner", type: "text" },
    { name: "stream_id", type: "text" },
  ],
  whenDone: "deleted",
};

/** Deletes the events of completed lanes; the versions remain. */
export const DELETE_SENT_EVENTS: NamedStatement = {
  name: "change_event",
  text: `delete from change_event e using held h
  where e.owner = h.owner and e.stream_id = h.stream_id and e.stream_version <= h.version`,
};

/** A waiting event, with its bytes fixed at its commit. */
export interface WaitingEvent {
  readonly lane: Lane<OutboxColumn>;
  readonly streamVersion: number;
  readonly eventId: string;
  /** Undefined where the byte limit was used up before it. */
  readonly body: string | undefined;
  readonly requestingPlatform: string | null;
  /** The JSON text of `acl` and `_acl` in force. */
  readonly policy: string;
  /** The JSON text of the access policy that the owner has signed last, as of now; null where there is none. */
  readonly ownerPolicy: string | null;
  /** The span of its commit; null where the mutation was not traced. */
  readonly traceparent: string | null;
}

interface EventRow {
  readonly place: number;
  readonly stream_version: number;
  readonly event_id: string;
  readonly body: string | null;
  readonly requesting_platform: string | null;
  readonly policy: string;
  readonly owner_policy: string | null;
  readonly traceparent: string | null;
}

const LIST_WAITING = `with asked as (
  select * from unnest($1::text[], $2::text[], $3::int[]) with ordinality as a (owner, stream_id, done, place)),
waiting as (
  select asked.place, asked.owner, event.*, row_number() over (partition by asked.place order by event.stream_version) as rank
    from asked cross join lateral (
      select stream_version, event_id, body, requesting_platform, policy, traceparent from change_event e
       where e.owner = asked.owner and e.stream_id = asked.stream_id and e.stream_version > asked.done
       order by e.stream_version limit $4) event),
counted as (
  select waiting.*, row_number() over in_order as n,
         sum(octet_length(body) + octet_length(policy)) over (in_order rows unbounded preceding) as bytes
    from waiting window in_order as (order by rank, place))
select place, stream_version, event_id, case when n = 1 or bytes <= $5 then body end as body, requesting_platform, policy, traceparent,
       (select o.policy from owner_policy o where o.owner = counted.owner) as owner_policy
  from counted order by n`;

/**
 * Lists the waiting events of lanes: the lowest of each first, then the next ones, at most `perLane` of each.
 *
 * In: `bytes`, the largest total size of bodies and policies, though the first is always read. Refuses: the database's
 * errors.
 */
export async function listWaitingEvents(
  database: Queryable,
  lanes: readonly Lane<OutboxColumn>[],
  { perLane, bytes }: { readonly perLane: number; readonly bytes: number },
): Promise<readonly WaitingEvent[]> {
  const column = <Value>(read: (lane: Lane<OutboxColumn>) => Value) => lanes.map(read);
  const keys = [
    column(({ key }) => key.owner),
    column(({ key }) => key.stream_id),
    column(({ doneVersion }) => doneVersion),
  ];
  const values = [...keys, perLane, bytes];
  const { rows } = await database.query<EventRow>({ name: "outbox-waiting", text: LIST_WAITING, values });
  return rows.map((row) => ({
    lane: lanes[row.place - 1] as Lane<OutboxColumn>,
    streamVersion: row.stream_version,
    eventId: row.event_id,
    body: row.body ?? undefined,
    requestingPlatform: row.requesting_platform,
    policy: row.policy,
    ownerPolicy: row.owner_policy,
    traceparent: row.traceparent,
  }));
}

/** The size of the outbox: streams and events, counted to 100,000 each. */
export interface OutboxDepth {
  readonly lanes: number;
  readonly events: number;
  /** The time of the oldest event, in milliseconds since the epoch; undefined when none waits. */
  readonly oldestAtMs: number | undefined;
  /** Streams with something to send that are never due; there must be none. */
  readonly stalled: number;
}

// The oldest event is among the lanes due first, unless its attempts failed and more lanes than these wait.
const DEPTH = `select
  (select count(*) from (select from outbox_lane where next_at is not null limit 100000) l) as lanes,
  (select count(*) from (select from change_event limit 100000) e) as events,
  (select count(*) from outbox_lane where next_at is null and tail_version > done_version) as stalled,
  (select min(e.occurred_at)
     from (select owner, stream_id, done_version from outbox_lane where next_at is not null order by next_at limit 1000) l
    cross join lateral (select occurred_at from change_event e
                         where e.owner = l.owner and e.stream_id = l.stream_id and e.stream_version > l.done_version
                         order by e.stream_version limit 1) e) as oldest_at`;

/** Reads the size of the outbox from indexes, except for the events of the thousand lanes that are due first. */
export async function readOutboxDepth(database: Queryable): Promise<OutboxDepth> {
  const { rows } = await database.query<Omit<OutboxDepth, "oldestAtMs"> & { readonly oldest_at: Date | null }>({
    name: "outbox-depth",
    text: DEPTH,
    values: [],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the depth statement answered no row");
  const { oldest_at, ...counts } = row;
  return { ...counts, oldestAtMs: oldest_at?.getTime() };
}
