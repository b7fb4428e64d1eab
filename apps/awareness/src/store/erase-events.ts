import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** What to erase: events of an owner up to a time (ISO 8601), of one record or of all. */
export interface EventsToErase {
  readonly dsid: EName;
  readonly id: string | null;
  readonly before: string;
}

const EVENTS_AT_ONCE = 1_000;

// The nine members of a webhook, without the data: whoever replays the feed or redrives a dead letter learns that the record is gone.
const ERASE = `with old as (
  select event_id from event
   where dsid = $1 and ($2::text is null or record_id = $2) and occurred_at <= $3::timestamptz and operation <> 'delete'
   limit ${EVENTS_AT_ONCE} for update),
attempts as (
  update attempt set answer = null where event_id in (select event_id from old) and answer is not null),
erased as (
  update event e set operation = 'delete', body = json_build_object(
      'eventId', e.event_id, 'id', e.record_id, 'dsid', e.dsid, 'schemaId', e.schema_id, 'data', json_build_object(),
      'vaultPublicKey', e.body::json -> 'vaultPublicKey', 'operation', 'delete', 'streamVersion', e.stream_version,
      'occurredAt', e.body::json -> 'occurredAt')::text
    from old where e.event_id = old.event_id returning 1)
select count(*)::int as n from erased`;

/**
 * Erases the data of stored events and the answers of their receivers, a thousand events at a time, and what the records
 * stated about members and readings. A record or policy that changed after that time keeps what it states. Each event stays as a removal,
 * so deliveries, dead letters and feeds keep their order. Erasing again changes nothing.
 *
 * Out: how many events were erased. Refuses: the database's errors. Source: decision V18.
 */
export async function eraseEvents(database: Queryable, { dsid, id, before }: EventsToErase): Promise<number> {
  if (id === null) await eraseOwnerPolicy(database, dsid, before);
  for (const table of STATED) await eraseStated(database, table, { dsid, id, before });
  let erased = 0;
  for (;;) {
    const statement = { name: "events:erase", text: ERASE, values: [dsid, id, before] };
    const part = (await database.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
    erased += part;
    if (part < EVENTS_AT_ONCE) return erased;
  }
}

async function eraseOwnerPolicy(database: Queryable, dsid: EName, before: string): Promise<void> {
  const text = "delete from delivery_owner_policy where dsid = $1 and issued_at <= $2::timestamptz";
  await database.query({ text, values: [dsid, before] });
}

const STATED = ["delivery_group_statement", "delivery_reading"] as const;

async function eraseStated(
  database: Queryable,
  table: (typeof STATED)[number],
  { dsid, id, before }: EventsToErase,
): Promise<void> {
  const text = `delete from ${table} s where s.dsid = $1 and ($2::text is null or s.record_id = $2)
    and s.ord <= $3::timestamptz
    and not exists (select from event e
                     where e.dsid = s.dsid and e.record_id = s.record_id and e.occurred_at > $3::timestamptz)`;
  await database.query({ text, values: [dsid, id, before] });
}
