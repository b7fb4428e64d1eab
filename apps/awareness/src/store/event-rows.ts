import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { IngestedEvent } from "../events/ingested-event.ts";
import { streamKey } from "../events/judge-events.ts";

/**
 * Locks the known streams of some events until the transaction ends, in a fixed order. The limit removes nothing: it
 * hides the number of rows from the planner, so that rows are looked up by key and no plan reads the whole table.
 *
 * In: events in the order of their streams. Out: the newest version by stream; none of a stream that is new.
 */
export async function lockStreams(
  tx: Queryable,
  events: readonly IngestedEvent[],
): Promise<ReadonlyMap<string, number>> {
  const streams = [...new Map(events.map((event) => [streamKey(event), event])).values()];
  const { rows } = await tx.query<{ dsid: EName; recordId: string; version: number }>({
    name: "awareness-lock-streams",
    text: `select dsid, record_id as "recordId", last_version as version
             from (select * from unnest($1::text[], $2::text[]) limit (select cardinality($1))) as asked (dsid, record_id)
             join stream_head using (dsid, record_id)
            order by dsid, record_id for update of stream_head`,
    values: [streams.map(({ dsid }) => dsid), streams.map(({ recordId }) => recordId)],
  });
  return new Map(rows.map((row) => [streamKey(row), row.version]));
}

/** Finds the bodies of those events that are already stored, by event id in lower case. */
export async function findKnownEvents(
  tx: Queryable,
  events: readonly IngestedEvent[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query<{ id: string; body: string }>({
    name: "awareness-known-events",
    text: "select event_id::text as id, body from event where event_id = any($1::uuid[])",
    values: [events.map(({ eventId }) => eventId)],
  });
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Stores events in the given order, in which they are numbered for the feed. `receivedAt` is ISO 8601. */
export async function insertEvents(tx: Queryable, events: readonly IngestedEvent[], receivedAt: string): Promise<void> {
  await tx.query({
    name: "awareness-insert-events",
    text: `with stored as (
             insert into event (event_id, dsid, record_id, stream_version, schema_id, operation, body, requesting_platform,
                                policy, occurred_at, traceparent, received_at)
             select given.*, $12::timestamptz
               from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
                           $9::text[], $10::timestamptz[], $11::text[]) as given)
           insert into unnumbered (event_id)
           select event_id from unnest($1::uuid[]) with ordinality as given (event_id, place) order by place`,
    values: [
      events.map(({ eventId }) => eventId),
      events.map(({ dsid }) => dsid),
      events.map(({ recordId }) => recordId),
      events.map(({ streamVersion }) => streamVersion),
      events.map(({ schemaId }) => schemaId),
      events.map(({ operation }) => operation),
      events.map(({ body }) => body),
      events.map(({ requestingPlatform }) => requestingPlatform),
      events.map(({ policy }) => JSON.stringify(policy)),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ traceparent }) => traceparent),
      receivedAt,
    ],
  });
}

/**
 * Records the newest version and policy of each stream; from then on the transaction holds the new streams too.
 *
 * In: events in the order of their streams. Out: whether it succeeded. It does not where another request has begun a
 * stream meanwhile and reached the same version: the transaction must then roll back and start again.
 */
export async function advanceStreams(tx: Queryable, accepted: readonly IngestedEvent[]): Promise<boolean> {
  const newest = [...new Map(accepted.map((event) => [streamKey(event), event])).values()];
  const { rowCount } = await tx.query({
    name: "awareness-advance-streams",
    text: `insert into stream_head (dsid, record_id, last_version, policy)
           select * from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as given (dsid, record_id, version, policy)
            order by dsid collate "C", record_id collate "C"
           on conflict (dsid, record_id) do update set last_version = excluded.last_version, policy = excluded.policy
              where stream_head.last_version < excluded.last_version`,
    values: [
      newest.map(({ dsid }) => dsid),
      newest.map(({ recordId }) => recordId),
      newest.map(({ streamVersion }) => streamVersion),
      newest.map(({ policy }) => JSON.stringify(policy)),
    ],
  });
  return rowCount === newest.length;
}
