import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { EventPolicy } from "../matching/event-policy.ts";

/** An event in the feed without its body: its place, what it is about, and the newest policy of its record. */
export interface FeedEntry {
  readonly position: number;
  readonly dsid: string;
  readonly schemaId: string;
  readonly requestingPlatform: string | null;
  readonly policy: EventPolicy;
  readonly bodyBytes: number;
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

/** Reads the entries after a place, in order. */
export async function listFeedEntries(on: Queryable, after: number, limit: number): Promise<readonly FeedEntry[]> {
  const { rows } = await on.query<Omit<FeedEntry, "policy"> & { readonly policy: string }>({
    name: "awareness-feed-entries",
    text: `select f.position, e.dsid, e.schema_id as "schemaId", e.requesting_platform as "requestingPlatform",
                  h.policy, octet_length(e.body) as "bodyBytes"
             from feed f join event e using (event_id) join stream_head h using (dsid, record_id)
            where f.position > $1 order by f.position limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => ({ ...row, policy: JSON.parse(row.policy) as EventPolicy }));
}

/** Reads the bodies of events by their places, in the order of these. */
export async function listFeedBodies(
  on: Queryable,
  positions: readonly number[],
): Promise<readonly { readonly position: number; readonly body: string }[]> {
  if (positions.length === 0) return [];
  const { rows } = await on.query<{ position: number; body: string }>({
    name: "awareness-feed-bodies",
    text: `select f.position, e.body from feed f join event e using (event_id)
            where f.position = any($1::bigint[]) order by f.position`,
    values: [positions],
  });
  return rows;
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
