import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The size of what waits to be delivered, and of dead letters. Counts stop at 100,000. */
export interface DeliveryDepth {
  /** Records of active subscriptions with waiting deliveries. */
  readonly lanes: number;
  /** Since when, in milliseconds since the epoch, the oldest has waited; undefined when nothing waits. */
  readonly oldestAtMs: number | undefined;
  readonly dead: number;
  /** Lanes with something to do that are never due; there must be none. */
  readonly stalled: number;
}

// A failed attempt is put off, the further the older it is, so the oldest delivery is at either end of the due ones.
// Its age follows from the deadline, which a replay sets again.
const DEPTH = `
with heard as (select id from subscription where active and not removed),
kept as (select id from subscription where not removed)
select
  (select count(*) from (
    select from heard join lane on subscription_id = id where next_at is not null limit 100000) l) as lanes,
  (select count(*) from (
    select from kept join delivery on subscription_id = id where died_at is not null limit 100000) d) as dead,
  (select count(*) from lane where next_at is null and tail_version > done_version) as stalled,
  (select min(next.deadline) - interval '24 hours'
     from heard
    cross join lateral (
      (select subscription_id, dsid, record_id, done_version from lane
        where subscription_id = id and next_at is not null order by next_at limit 10)
      union all
      (select subscription_id, dsid, record_id, done_version from lane
        where subscription_id = id and next_at is not null order by next_at desc limit 10)) l
    cross join lateral (
      select deadline from delivery d
       where d.subscription_id = l.subscription_id and d.dsid = l.dsid and d.record_id = l.record_id
         and d.stream_version > l.done_version and d.state = 'pending'
       order by d.stream_version limit 1) next) as oldest_at`;

/**
 * Reads what waits to be delivered, from indexes alone: of each subscription the ten lanes that are due first and the
 * ten that are due last show what is oldest. Refuses: never. Source: decision P6.
 */
export async function readDeliveryDepth(database: Queryable): Promise<DeliveryDepth> {
  const { rows } = await database.query<Omit<DeliveryDepth, "oldestAtMs"> & { readonly oldest_at: Date | null }>({
    name: "delivery-depth",
    text: DEPTH,
    values: [],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the depth statement answered no row");
  const { oldest_at, ...counts } = row;
  return { ...counts, oldestAtMs: oldest_at?.getTime() };
}
