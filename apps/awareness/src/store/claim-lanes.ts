import { randomUUID } from "node:crypto";
import { WITHOUT_WAITING } from "@dataspace/lanes/lane-statements";
import { retryConflicts } from "@dataspace/lanes/retry-conflicts";
import type { Lane } from "@dataspace/lanes/lane";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The columns of a delivery lane's key. */
export type LaneColumn = "subscription_id" | "dsid" | "record_id";

/**
 * A claimed lane; `isProbe` where its subscription's circuit is open and this is the probe, `isSlow` where it counts
 * among the consumer's slow ones.
 */
export interface ClaimedLane extends Lane<LaneColumn> {
  readonly consumerId: string;
  readonly isProbe: boolean;
  readonly isSlow: boolean;
}

/** How many lanes of a subscription are in flight, how many may be, and whether its endpoint is slow. */
export interface InFlight {
  readonly underWay: number;
  readonly most: number;
  readonly isSlow: boolean;
}

/** How many lanes of a consumer are in flight, and how many of them go to slow endpoints. */
export interface ConsumerInFlight {
  readonly underWay: number;
  readonly slow: number;
}

/**
 * How many lanes may be in flight: of a subscription without history, of a consumer, of its slow endpoints together.
 */
export interface LaneLimits {
  readonly subscription: number;
  readonly consumer: number;
  readonly slow: number;
}

/** What to claim: at most `limit` lanes, within the limits of each subscription and consumer. */
export interface LaneClaim {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  readonly limits: LaneLimits;
  readonly subscriptions: Iterable<readonly [subscriptionId: string, InFlight]>;
  readonly consumers: ReadonlyMap<string, ConsumerInFlight>;
}

/**
 * Claims due lanes within the limit of each subscription and consumer. Consumers take turns, the one with the fewest
 * lanes in flight first; of one consumer the longest due lane goes first. Inactive subscriptions get none, and one
 * whose circuit is open gets a single probe when that is due.
 *
 * Only claimed lanes are locked. This replaces the claim of the lanes package, which takes the longest-due lanes, so that
 * one backlog would take every place. Settling uses that package. Refuses: never. Source: decisions E1, E2, E9, V25.
 */
export async function claimLanes(database: Queryable, claim: LaneClaim): Promise<readonly ClaimedLane[]> {
  if (claim.limit <= 0) return [];
  const subscriptions = [...claim.subscriptions];
  const consumers = [...claim.consumers];
  const values = [
    new Date(claim.nowMs),
    new Date(claim.nowMs + claim.leaseMs),
    randomUUID(),
    claim.limit,
    subscriptions.map(([id]) => id),
    subscriptions.map(([, { underWay }]) => underWay),
    subscriptions.map(([, { most }]) => most),
    subscriptions.map(([, { isSlow }]) => isSlow),
    claim.limits.subscription,
    consumers.map(([id]) => id),
    consumers.map(([, { underWay }]) => underWay),
    consumers.map(([, { slow }]) => slow),
    claim.limits.consumer,
    claim.limits.slow,
  ];
  const { rows } = await retryConflicts(() =>
    database.query<ClaimedRow>({ name: "claim-deliveries", text: CLAIM, values }),
  );
  return rows.map(toLane);
}

interface ClaimedRow {
  readonly subscription_id: string;
  readonly dsid: string;
  readonly record_id: string;
  readonly tail_version: number;
  readonly done_version: number;
  readonly lease: string;
  readonly attempts: number;
  readonly consumer_id: string;
  readonly is_probe: boolean;
  readonly is_slow: boolean;
}

function toLane(row: ClaimedRow): ClaimedLane {
  return {
    key: { subscription_id: row.subscription_id, dsid: row.dsid, record_id: row.record_id },
    tailVersion: row.tail_version,
    doneVersion: row.done_version,
    lease: row.lease,
    attempts: row.attempts,
    consumerId: row.consumer_id,
    isProbe: row.is_probe,
    isSlow: row.is_slow,
  };
}

// $1 the time, $2 the end of the lease, $3 its token, $4 how many. $5 to $8 are the subscriptions with history, $9 the
// limit of the others. $10 to $12 are the consumers with lanes in flight, $13 and $14 the limits of each.
//
// `head` reads one lane of each subscription, `near` selects the subscriptions whose lanes may be claimed within their
// consumer's limits, and `candidate` reads the further lanes of those only. None of that is locked: a lane that another worker claims
// meanwhile is not due any more when `due` locks it by its place, and is left out. If a probe's worker died, another
// probe follows when its lease ends.
const CLAIM = `
with known as materialized (
  select * from unnest($5::uuid[], $6::int[], $7::int[], $8::bool[]) as known (id, in_flight, most, is_slow)),
consumer_in_flight as materialized (
  select * from unnest($10::uuid[], $11::int[], $12::int[]) as consumer_in_flight (id, in_flight, slow)),
head as (
  select s.id, s.consumer_id, s.opened_at is not null as is_probe, s.opened_at is not null or coalesce(r.is_slow, false) as is_slow,
         case when s.opened_at is not null then 1
              else least(s.in_flight_limit, coalesce(r.most, $9::int)) - coalesce(r.in_flight, 0) end as places,
         coalesce(c.in_flight, 0) as in_flight,
         least($13::int - coalesce(c.in_flight, 0),
               case when s.opened_at is not null or r.is_slow then $14::int - coalesce(c.slow, 0) end) as quota,
         first.next_at
    from subscription s
    left join known r on r.id = s.id
    left join consumer_in_flight c on c.id = s.consumer_id
   cross join lateral (
     select next_at from lane where subscription_id = s.id and next_at <= $1::timestamptz order by next_at limit 1) first
   where s.active and not s.removed and (s.opened_at is null or s.probe_at <= $1::timestamptz)),
near as (
  select * from (
    select *, row_number() over (partition by consumer_id, is_slow order by next_at) as place from head where places > 0) h
   where place <= quota),
candidate as (
  select near.id as subscription_id, near.consumer_id, near.is_probe, near.is_slow, near.in_flight, near.quota, l.*,
         row_number() over (partition by near.consumer_id, near.is_slow order by l.next_at) as place
    from near cross join lateral (
      select ctid as at, dsid, record_id, next_at from lane
       where subscription_id = near.id and next_at <= $1::timestamptz order by next_at limit near.places) l),
chosen as materialized (
  select * from (
    select *, in_flight + row_number() over (partition by consumer_id order by next_at) as turn
      from candidate where place <= quota) c
   where turn <= $13::int
   order by turn, next_at limit $4),
probed as (
  update subscription set probe_at = $2::timestamptz
   where id in (select id from subscription
                 where id = any (array(select subscription_id from chosen where is_probe))
                   and opened_at is not null and probe_at <= $1::timestamptz
                 order by id for update skip locked)
  returning id),
due as (
  select ctid from lane
   where ctid = any (array(select at from chosen where not is_probe or subscription_id in (select id from probed)))
     and next_at <= $1::timestamptz
     for update skip locked),
claimed as (
  update lane set lease = $3::uuid, next_at = $2::timestamptz, attempts = attempts + 1
   where ctid = any (array(select ctid from due))
  returning subscription_id, dsid, record_id, tail_version, done_version, lease, attempts)
select claimed.*, chosen.consumer_id, chosen.is_probe, chosen.is_slow
  from claimed join chosen using (subscription_id, dsid, record_id), ${WITHOUT_WAITING}
 order by chosen.turn, chosen.next_at`;
