import { randomUUID } from "node:crypto";
import { retryConflicts } from "@dataspace/lanes/retry-conflicts";
import type { Lane } from "@dataspace/lanes/lane";
import type { Queryable } from "@dataspace/service-kit/database";

/** The columns of a delivery lane's key. */
export type LaneColumn = "subscription_id" | "dsid" | "record_id";

/** A claimed lane; `isProbe` where its subscription's circuit is open and this is the one attempt to see whether that can end. */
export interface ClaimedLane extends Lane<LaneColumn> {
  readonly isProbe: boolean;
}

/** What to claim: at most `limit` lanes, and of each subscription no more than `cap` with those that are `underWay` already. */
export interface LaneClaim {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  readonly cap: number;
  readonly underWay: ReadonlyMap<string, number>;
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
  const values = [new Date(claim.nowMs), new Date(claim.nowMs + claim.leaseMs), randomUUID(), claim.limit];
  const probes = await retryConflicts(() => database.query<ClaimedRow>({ name: "claim-probes", text: PROBES, values }));
  const rest = await retryConflicts(() =>
    database.query<ClaimedRow>({
      name: "claim-lanes",
      text: LANES,
      values: [...values, [...claim.underWay.keys()], [...claim.underWay.values()], claim.cap],
    }),
  );
  return [...probes.rows.map((row) => toLane(row, true)), ...rest.rows.map((row) => toLane(row, false))];
}

interface ClaimedRow {
  readonly subscription_id: string;
  readonly dsid: string;
  readonly record_id: string;
  readonly tail_version: number;
  readonly done_version: number;
  readonly lease: string;
  readonly attempts: number;
}

function toLane(row: ClaimedRow, isProbe: boolean): ClaimedLane {
  return {
    key: { subscription_id: row.subscription_id, dsid: row.dsid, record_id: row.record_id },
    tailVersion: row.tail_version,
    doneVersion: row.done_version,
    lease: row.lease,
    attempts: row.attempts,
    isProbe,
  };
}

const TAKE = `
update lane l set lease = $3::uuid, next_at = $2::timestamptz, attempts = l.attempts + 1
  from due where l.subscription_id = due.subscription_id and l.dsid = due.dsid and l.record_id = due.record_id
returning l.subscription_id, l.dsid, l.record_id, l.tail_version, l.done_version, l.lease, l.attempts`;

// $1 the time, $2 the end of the lease, $3 its token, $4 how many, $5 and $6 what is under way, $7 the cap.
const LANES = `
with due as (
  select d.* from subscription s
    left join unnest($5::uuid[], $6::int[]) as busy (id, lanes) on busy.id = s.id
    cross join lateral (
      select subscription_id, dsid, record_id, next_at from lane
       where subscription_id = s.id and next_at <= $1::timestamptz
       order by next_at limit greatest(0, coalesce(s.in_flight_limit, $7::int) - coalesce(busy.lanes, 0))
       for update skip locked) d
   where s.active and not s.removed and s.opened_at is null
   order by d.next_at limit $4)
${TAKE}`;

// A probe that is never answered for, because its worker died, is followed by another when its lease ends.
const PROBES = `
with turn as (
  update subscription set probe_at = $2::timestamptz
   where id in (select id from subscription s
                 where active and not removed and opened_at is not null and probe_at <= $1::timestamptz
                   and exists (select from lane where subscription_id = s.id and next_at <= $1::timestamptz)
                 order by id limit $4 for update skip locked)
  returning id),
due as (
  select d.* from turn
   cross join lateral (
     select subscription_id, dsid, record_id from lane
      where subscription_id = turn.id and next_at <= $1::timestamptz
      order by next_at limit 1 for update skip locked) d)
${TAKE}`;
