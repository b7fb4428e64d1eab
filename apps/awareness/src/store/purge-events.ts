import type { Queryable } from "@dataspace/service-kit/postgres/database";

/**
 * Deletes a part of the old rows. In: milliseconds since the epoch. Out: how many rows; 0 when it reached the end or
 * should continue later.
 */
export type PurgeEvents = (beforeMs: number) => Promise<number>;

const EVENTS_AT_ONCE = 1_000;
const DELIVERIES_AT_ONCE = 10_000;
/** Where nothing can be deleted, at most this many are examined in one step. */
const MOST_PAGES = 200;

/**
 * Makes the deletion of events received before a time, with their deliveries that were settled before it. It walks the
 * feed from its beginning, part by part, and remembers its place.
 *
 * An unsettled delivery stays, and so does an event with any remaining delivery, so no lane loses what it is to send.
 * Locked rows are left for later, so it never waits. Any number of processes may do so at once.
 * Refuses: the database's errors. Source: decision E7.
 */
export function createPurgeEvents(database: Queryable): PurgeEvents {
  let after = 0;
  return async (beforeMs) => {
    const before = new Date(beforeMs);
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const upTo = await findPageEnd(database, after, before);
      if (upTo === undefined) {
        after = 0;
        return 0;
      }
      const deliveries = await purgeDeliveries(database, { after, upTo, before });
      if (deliveries === DELIVERIES_AT_ONCE) return deliveries;
      const events = await purgePage(database, { after, upTo, before });
      after = upTo;
      if (deliveries + events > 0) return deliveries + events;
    }
    return 0;
  };
}

interface Page {
  readonly after: number;
  readonly upTo: number;
  readonly before: Date;
}

/** Finds where the next thousand events end, undefined when none of them is old. */
async function findPageEnd(database: Queryable, after: number, before: Date): Promise<number | undefined> {
  const { rows } = await database.query<{ readonly last: number | null; readonly old: boolean | null }>({
    name: "purge-page",
    text: `select max(position) as last, bool_or(received_at < $2::timestamptz) as old
             from (select f.position, e.received_at from feed f join event e using (event_id)
                    where f.position > $1 order by f.position limit $3) e`,
    values: [after, before, EVENTS_AT_ONCE],
  });
  const [page] = rows;
  return page?.old === true && page.last !== null ? page.last : undefined;
}

async function purgeDeliveries(database: Queryable, { after, upTo, before }: Page): Promise<number> {
  const { rowCount } = await database.query({
    name: "purge-deliveries",
    text: `with old as (
             select d.ctid
               from feed f join event e using (event_id) join delivery d using (event_id)
              where f.position > $1 and f.position <= $2 and e.received_at < $3::timestamptz
                and d.settled_at < $3::timestamptz
              limit $4 for update of d skip locked)
           delete from delivery where ctid = any (array(select ctid from old))`,
    values: [after, upTo, before, DELIVERIES_AT_ONCE],
  });
  return rowCount;
}

// Locked rows are deleted by their place (`ctid`): by key the planner would read the whole table. Deliveries of an
// event are queued only together with it, so an event without one never gets one. The horizon moves in the same
// statement, so every reader sees the gap with it.
async function purgePage(database: Queryable, { after, upTo, before }: Page): Promise<number> {
  const { rows } = await database.query<{ readonly events: number }>({
    name: "purge-events",
    text: `with old as (
             select e.ctid, e.event_id, f.position from feed f join event e using (event_id)
              where f.position > $1 and f.position <= $2 and e.received_at < $3::timestamptz
                and not exists (select from delivery d where d.event_id = e.event_id)
              for update of e skip locked),
           gone as (delete from event where ctid = any (array(select ctid from old)) returning event_id),
           places as (select position from old join gone using (event_id)),
           placeless as (delete from feed where position = any (array(select position from places))),
           counted as (select count(*) as events, max(position) as last from places)
           update feed_horizon set purged_to = greatest(purged_to, counted.last)
             from counted where counted.events > 0 returning counted.events`,
    values: [after, upTo, before],
  });
  return rows[0]?.events ?? 0;
}
