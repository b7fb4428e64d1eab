import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

const LANES_AT_ONCE = 200;
const DELIVERIES_OF_A_LANE = 50;

/**
 * Skips waiting deliveries on some lanes of removed subscriptions, and makes a lane idle once nothing is left on it.
 *
 * At most 200 lanes and 50 deliveries of each, so that no backlog is too large for a statement: call it until it
 * returns 0. A lane in progress is left for later. Lanes are locked first and their deliveries read afterwards, so that
 * deliveries queued meanwhile are seen. Locked lanes are skipped, and deliveries change only under their lane's lock,
 * so it never waits.
 * Out: how many lanes. Refuses: never. Source: decision E9.
 */
export function skipRemoved(database: Database, nowMs: number): Promise<number> {
  const now = new Date(nowMs);
  return database.transaction(async (transaction) => {
    const lanes = await lockSome(transaction, now);
    if (lanes.length === 0) return 0;
    const keys = [
      lanes.map((lane) => lane.subscription_id),
      lanes.map(({ dsid }) => dsid),
      lanes.map((lane) => lane.record_id),
    ];
    await transaction.query({ name: "removed-skip", text: SKIP, values: [now, ...keys, DELIVERIES_OF_A_LANE] });
    return lanes.length;
  });
}

interface LaneName {
  readonly subscription_id: string;
  readonly dsid: string;
  readonly record_id: string;
}

async function lockSome(transaction: Queryable, now: Date): Promise<readonly LaneName[]> {
  const { rows } = await transaction.query<LaneName>({
    name: "removed-lock",
    text: LOCK,
    values: [now, LANES_AT_ONCE],
  });
  return rows;
}

const LOCK = `
select l.* from subscription s
 cross join lateral (
   select subscription_id, dsid, record_id from lane
    where subscription_id = s.id and next_at is not null and (lease is null or next_at <= $1::timestamptz)
    order by next_at limit $2 for update skip locked) l
 where s.removed limit $2`;

const SKIP = `
with held as (
  select lane.* from lane join unnest($2::uuid[], $3::text[], $4::text[]) as asked (subscription_id, dsid, record_id)
   using (subscription_id, dsid, record_id)),
waiting as (
  select d.* from held cross join lateral (
    select subscription_id, dsid, record_id, stream_version from delivery
     where subscription_id = held.subscription_id and dsid = held.dsid and record_id = held.record_id
       and stream_version > held.done_version and state = 'pending'
     order by stream_version limit $5) d),
skipped as (
  update delivery d set state = 'skipped', reason = 'removed', settled_at = $1::timestamptz
    from waiting w
   where d.subscription_id = w.subscription_id and d.dsid = w.dsid and d.record_id = w.record_id
     and d.stream_version = w.stream_version),
reached as (
  select subscription_id, dsid, record_id, max(w.stream_version) as version, count(w.stream_version) = $5 as maybe_more
    from held left join waiting w using (subscription_id, dsid, record_id) group by subscription_id, dsid, record_id)
update lane l set done_version = case when r.maybe_more then r.version else l.tail_version end,
       next_at = case when r.maybe_more then l.next_at end, attempts = 0, lease = null
  from reached r
 where l.subscription_id = r.subscription_id and l.dsid = r.dsid and l.record_id = r.record_id`;
