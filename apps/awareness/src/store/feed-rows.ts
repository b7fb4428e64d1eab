import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** An event in the feed without its body: its place, what it is about, and the newest version known of its record. */
export interface FeedEntry {
  readonly position: number;
  readonly dsid: string;
  readonly recordId: string;
  readonly schemaId: string;
  readonly requestingPlatform: string | null;
  readonly newestVersion: number;
  readonly receivedAtMs: number;
  readonly bodyBytes: number;
}

/** Which entries are read: those after a place, `scan` at most, and of them those that both filters hold; an empty one holds all. */
export interface FeedScan {
  readonly after: number;
  readonly scan: number;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
}

/** An event of the feed as it is answered: the webhook's text, its ontology and the time of its receipt (ISO 8601). */
export interface FeedBody {
  readonly position: number;
  readonly body: string;
  readonly schemaId: string;
  readonly receivedAt: string;
}

// Any number that nothing else of this database takes.
const LOCK = 4_100_001;
// The events that were purged had places too, which are never given again.
const LAST_POSITION = `
  select greatest(purged_to, (select max(position) from feed)) as position from feed_horizon`;

/**
 * Gives the next places in the feed to events that have none, in the order in which they were stored: one numberer at a time,
 * so places appear strictly in order, and none before another that is lower. Out: how many got one.
 */
export async function numberEvents(tx: Queryable, max: number): Promise<number> {
  await tx.query({ text: `select pg_advisory_xact_lock(${LOCK})`, values: [] });
  // A statement of its own: it sees what the numberer before it committed.
  const { rowCount } = await tx.query({
    name: "awareness-number-events",
    text: `with last as (${LAST_POSITION}),
                taken as (delete from unnumbered where ingest_seq = any (
                            array(select ingest_seq from unnumbered order by ingest_seq limit $1))
                          returning ingest_seq, event_id)
           insert into feed (position, event_id)
           select last.position + row_number() over (order by ingest_seq), event_id from last, taken`,
    values: [max],
  });
  return rowCount;
}

/** Reads entries, in order. Out: also the last place that was looked at, and whether that was as many as were asked for. */
export async function listFeedEntries(
  on: Queryable,
  { after, scan, ontologyFilter, vaultFilter }: FeedScan,
): Promise<{ readonly entries: readonly FeedEntry[]; readonly upTo: number; readonly isFull: boolean }> {
  const { rows } = await on.query<Omit<FeedEntry, "receivedAtMs"> & { readonly receivedAt: Date | null }>({
    name: "awareness-feed-scan",
    text: `with looked_at as materialized (
             select position, event_id from feed where position > $1 order by position limit $2)
           select l.position, e.dsid, e.record_id as "recordId", e.schema_id as "schemaId",
                  e.requesting_platform as "requestingPlatform", e.received_at as "receivedAt",
                  octet_length(e.body) as "bodyBytes", h.last_version as "newestVersion"
             from looked_at l
             left join event e on e.event_id = l.event_id
                   and (cardinality($3::text[]) = 0 or e.schema_id = any ($3))
                   and (cardinality($4::text[]) = 0 or e.dsid = any ($4))
             left join stream_head h on h.dsid = e.dsid and h.record_id = e.record_id
            order by l.position`,
    values: [after, scan, ontologyFilter, vaultFilter],
  });
  const entries = rows.flatMap(({ receivedAt, ...row }) =>
    receivedAt === null ? [] : [{ ...row, receivedAtMs: receivedAt.getTime() }],
  );
  return { entries, upTo: rows.at(-1)?.position ?? after, isFull: rows.length === scan };
}

/** Reads events by their places, in the order of these. */
export async function listFeedBodies(on: Queryable, positions: readonly number[]): Promise<readonly FeedBody[]> {
  if (positions.length === 0) return [];
  const { rows } = await on.query<Omit<FeedBody, "receivedAt"> & { readonly receivedAt: Date }>({
    name: "awareness-feed-events",
    text: `select f.position, e.body, e.schema_id as "schemaId", e.received_at as "receivedAt"
             from feed f join event e using (event_id)
            where f.position = any($1::bigint[]) order by f.position`,
    values: [positions],
  });
  return rows.map((row) => ({ ...row, receivedAt: row.receivedAt.toISOString() }));
}

/** An event by its id, with what decides who may be told of it. */
export type FeedEvent = Omit<FeedEntry, "position" | "receivedAtMs" | "bodyBytes"> & Omit<FeedBody, "position">;

/** Finds an event by its id. */
export async function findFeedEvent(on: Queryable, eventId: string): Promise<FeedEvent | undefined> {
  const { rows } = await on.query<Omit<FeedEvent, "receivedAt"> & { readonly receivedAt: Date }>({
    name: "awareness-feed-event",
    text: `select e.dsid, e.record_id as "recordId", e.schema_id as "schemaId", e.requesting_platform as "requestingPlatform",
                  e.body, e.received_at as "receivedAt", h.last_version as "newestVersion"
             from event e join stream_head h using (dsid, record_id) where e.event_id = $1`,
    values: [eventId],
  });
  return rows.map((row) => ({ ...row, receivedAt: row.receivedAt.toISOString() }))[0];
}

/**
 * Finds a place after which every event that was received at or after a time lies, by halving: some forty events are looked at. Places
 * follow the order of receipt except for what was stored side by side, so pass a time somewhat earlier than the one that is meant.
 */
export async function findPositionBefore(on: Queryable, time: Date): Promise<number> {
  const { rows } = await on.query<{ position: number }>({
    name: "awareness-feed-position-before",
    text: `with recursive search (low, high) as (
             select coalesce(min(position), 1) - 1, coalesce(max(position), 0) from feed
             union all
             select case when e.received_at < $1::timestamptz then f.position else s.low end,
                    case when e.received_at < $1::timestamptz then s.high else (s.low + s.high) / 2 end
               from search s
              cross join lateral (
                select position, event_id from feed where position > (s.low + s.high) / 2 order by position limit 1) f
               join event e on e.event_id = f.event_id
              where s.low < s.high)
           select max(low) as position from search`,
    values: [time],
  });
  return rows[0]?.position ?? 0;
}

/** Finds the highest place whose event was purged, 0 when none was. */
export async function findHorizon(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ position: number }>({
    name: "awareness-feed-horizon",
    text: "select purged_to as position from feed_horizon",
    values: [],
  });
  return rows[0]?.position ?? 0;
}

/** Finds the feed's newest place, 0 while it never had any. */
export async function findLastPosition(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ position: number }>({
    text: LAST_POSITION,
    values: [],
  });
  return rows[0]?.position ?? 0;
}
