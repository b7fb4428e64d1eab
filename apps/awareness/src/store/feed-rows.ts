import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** An event in the feed without its body: its place, its subject, and the newest known version of its record. */
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

/**
 * Which entries are read: those after a place, at most `scan`, and of them those that match both filters; an empty
 * filter matches all.
 */
export interface FeedScan {
  readonly after: number;
  readonly scan: number;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
}

/** An event of the feed as answered: the webhook's text, its ontology and the time of its receipt (ISO 8601). */
export interface FeedBody {
  readonly position: number;
  readonly body: string;
  readonly schemaId: string;
  readonly receivedAt: string;
}

// Any number that nothing else in this database uses.
const LOCK = 4_100_001;
// The deleted events had places too, which are never assigned again.
const LAST_POSITION = `
  select greatest(purged_to, (select max(position) from feed)) as position from feed_horizon`;

/**
 * Assigns the next places in the feed to events without one, in the order of storage. One process numbers at a time, so
 * places appear strictly in order, and none before a lower one. Out: how many got one.
 */
export async function numberEvents(tx: Queryable, max: number): Promise<number> {
  await tx.query({ text: `select pg_advisory_xact_lock(${LOCK})`, values: [] });
  // A separate statement: it sees what the previous numbering committed.
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

/** Reads entries, in order. Out: also the last place that was examined, and whether the limit was reached. */
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

/** Reads events by their places, in that order. */
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

/** An event by its id, with what decides who may receive it. */
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
 * Finds a place after which every event received at or after a time lies, by bisection over some forty events. Places
 * follow the order of receipt except for concurrently stored events, so pass a slightly earlier time.
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

/** Finds the highest place of a deleted event, 0 when there is none. */
export async function findHorizon(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ position: number }>({
    name: "awareness-feed-horizon",
    text: "select purged_to as position from feed_horizon",
    values: [],
  });
  return rows[0]?.position ?? 0;
}

/** Finds the feed's newest place, 0 while it has none. */
export async function findLastPosition(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ position: number }>({
    text: LAST_POSITION,
    values: [],
  });
  return rows[0]?.position ?? 0;
}
