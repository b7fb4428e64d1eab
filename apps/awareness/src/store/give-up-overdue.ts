import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

const LANES_AT_ONCE = 500;

/**
 * Turns the overdue deliveries on all lanes of a subscription into dead letters, unsent, and advances the lanes.
 *
 * A lane in progress is skipped. Lanes are locked first and their deliveries read afterwards, so that deliveries queued
 * meanwhile are seen. Out: how many deliveries were given up. Refuses: never. Source: decision E2
 * (`endpoint_unavailable`).
 */
export async function giveUpOverdue(database: Database, subscriptionId: string, nowMs: number): Promise<number> {
  let given = 0;
  for (;;) {
    const some = await database.transaction((transaction) => giveUpSome(transaction, subscriptionId, nowMs));
    if (some === 0) return given;
    given += some;
  }
}

async function giveUpSome(transaction: Queryable, subscriptionId: string, nowMs: number): Promise<number> {
  const { rows: lanes } = await transaction.query<{ readonly dsid: string; readonly record_id: string }>({
    name: "overdue-lock",
    text: LOCK,
    values: [subscriptionId, new Date(nowMs), LANES_AT_ONCE],
  });
  if (lanes.length === 0) return 0;
  const { rows } = await transaction.query<{ readonly died: number }>({
    name: "overdue-give-up",
    text: GIVE_UP,
    values: [subscriptionId, new Date(nowMs), lanes.map(({ dsid }) => dsid), lanes.map((lane) => lane.record_id)],
  });
  return rows.reduce((died, lane) => died + lane.died, 0);
}

const LOCK = `
select dsid, record_id from lane l
 where subscription_id = $1 and next_at is not null and (lease is null or next_at <= $2::timestamptz)
   and (select deadline from delivery d
         where d.subscription_id = l.subscription_id and d.dsid = l.dsid and d.record_id = l.record_id
           and d.stream_version > l.done_version and d.state = 'pending'
         order by d.stream_version limit 1) <= $2::timestamptz
 order by dsid, record_id limit $3 for update skip locked`;

// On each lane only those before the first delivery that is not overdue.
const GIVE_UP = `
with held as (
  select l.dsid, l.record_id, l.done_version,
         (select min(stream_version) from delivery d
           where d.subscription_id = l.subscription_id and d.dsid = l.dsid and d.record_id = l.record_id
             and d.stream_version > l.done_version and d.state = 'pending' and d.deadline > $2::timestamptz) as first_alive
    from lane l
    join unnest($3::text[], $4::text[]) as asked (dsid, record_id) on asked.dsid = l.dsid and asked.record_id = l.record_id
   where l.subscription_id = $1),
dead as (
  update delivery d set state = 'dead', reason = 'endpoint_unavailable', settled_at = $2::timestamptz
    from held
   where d.subscription_id = $1 and d.dsid = held.dsid and d.record_id = held.record_id and d.state = 'pending'
     and d.stream_version > held.done_version and d.deadline <= $2::timestamptz
     and (held.first_alive is null or d.stream_version < held.first_alive)
  returning d.dsid, d.record_id, d.stream_version)
update lane l set done_version = last.version, attempts = 0, lease = null,
       next_at = case when l.tail_version > last.version then $2::timestamptz end
  from (select dsid, record_id, max(stream_version) as version, count(*) as died from dead group by dsid, record_id) last
 where l.subscription_id = $1 and l.dsid = last.dsid and l.record_id = last.record_id
returning last.died`;
