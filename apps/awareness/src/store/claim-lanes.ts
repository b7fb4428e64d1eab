import { randomUUID } from "node:crypto";
import { WITHOUT_WAITING } from "@dataspace/lanes/lane-statements";
import { retryConflicts } from "@dataspace/lanes/retry-conflicts";
import type { Lane } from "@dataspace/lanes/lane";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The columns of a delivery lane's key. */
export type LaneColumn = "subscription_id" | "dsid" | "record_id";

/** A claimed lane; `isProbe` where its subscription's circuit is open and this is the one attempt to see whether that can end. */
export interface ClaimedLane extends Lane<LaneColumn> {
  readonly isProbe: boolean;
}

/** How many lanes of a subscription are under way, and how many may be. */
export interface LaneRoom {
  readonly underWay: number;
  readonly most: number;
}

/** What to claim: at most `limit` lanes, of each subscription as its room allows, `most` where none is named. */
export interface LaneClaim {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  readonly most: number;
  readonly rooms: ReadonlyMap<string, LaneRoom>;
}

/**
 * Claims due lanes, the longest due first, each subscription within its own room; none of inactive subscriptions, and of one
 * whose circuit is open a single probe when that is due.
 *
 * The lanes module settles them. It claims by time alone, which would let one backlog take every place.
 * Refuses: never. Source: decisions E1, E2, E9.
 */
export async function claimLanes(database: Queryable, claim: LaneClaim): Promise<readonly ClaimedLane[]> {
  if (claim.limit <= 0) return [];
  const rooms = [...claim.rooms.values()];
  const values = [
    new Date(claim.nowMs),
    new Date(claim.nowMs + claim.leaseMs),
    randomUUID(),
    claim.limit,
    [...claim.rooms.keys()],
    rooms.map(({ underWay }) => underWay),
    rooms.map(({ most }) => most),
    claim.most,
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
  readonly is_probe: boolean;
}

function toLane(row: ClaimedRow): ClaimedLane {
  return {
    key: { subscription_id: row.subscription_id, dsid: row.dsid, record_id: row.record_id },
    tailVersion: row.tail_version,
    doneVersion: row.done_version,
    lease: row.lease,
    attempts: row.attempts,
    isProbe: row.is_probe,
  };
}

// $1 the time, $2 the end of the lease, $3 its token, $4 how many, $5 to $7 the rooms that are known, $8 the room of the others.
// A probe that is never answered for, because its worker died, is followed by another when its lease ends. Rows are updated by their
// place, as the lanes module does it.
const CLAIM = `
with probed as (
  update subscription set probe_at = $2::timestamptz
   where id in (select id from subscription s
                 where active and not removed and opened_at is not null and probe_at <= $1::timestamptz
                   and exists (select from lane where subscription_id = s.id and next_at <= $1::timestamptz)
                 order by id limit $4 for update skip locked)
  returning id),
due as (
  select d.*, true as is_probe from probed
   cross join lateral (
     select ctid, subscription_id, dsid, record_id, next_at from lane
      where subscription_id = probed.id and next_at <= $1::timestamptz
      order by next_at limit 1 for update skip locked) d
  union all
  select d.*, false from subscription s
    left join unnest($5::uuid[], $6::int[], $7::int[]) as room (id, under_way, most) on room.id = s.id
   cross join lateral (
     select ctid, subscription_id, dsid, record_id, next_at from lane
      where subscription_id = s.id and next_at <= $1::timestamptz
      order by next_at
      limit greatest(0, least(s.in_flight_limit, coalesce(room.most, $8::int)) - coalesce(room.under_way, 0))
      for update skip locked) d
   where s.active and not s.removed and s.opened_at is null
   order by is_probe desc, next_at limit $4),
claimed as (
  update lane set lease = $3::uuid, next_at = $2::timestamptz, attempts = attempts + 1
   where ctid = any (array(select ctid from due))
  returning subscription_id, dsid, record_id, tail_version, done_version, lease, attempts)
select claimed.*, due.is_probe from claimed join due using (subscription_id, dsid, record_id), ${WITHOUT_WAITING}`;
