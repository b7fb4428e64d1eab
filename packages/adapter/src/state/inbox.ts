import type { Queryable } from "./state-database.ts";

/** The event that was last applied to a record. */
export interface InboxEvent {
  readonly dsid: string;
  readonly id: string;
  readonly eventId: string;
  readonly streamVersion: number;
}

const ADVANCE = `insert into ds_inbox (dsid, id, event_id, stream_version) values ($1, $2, $3, $4)
  on conflict (dsid, id) do update set event_id = excluded.event_id, stream_version = excluded.stream_version
  where ds_inbox.stream_version < excluded.stream_version returning event_id`;
const APPLIED = "select event_id from ds_inbox where dsid = $1 and id = $2 and stream_version >= $3";

/**
 * Takes an event in, if it is newer than what was applied to its record; locks the record's row until the transaction ends.
 *
 * Out: `new`, or why it is not to be applied. Refuses: the database's errors. Source: S3 "Events"; decision A4.
 */
export async function takeIn({ query }: Queryable, event: InboxEvent): Promise<"new" | "duplicate" | "stale"> {
  const { dsid, id, eventId, streamVersion } = event;
  const advanced = await query<object>({ text: ADVANCE, values: [dsid, id, eventId, streamVersion] });
  if (advanced.length > 0) return "new";
  return (await findTaken({ query }, event)) ?? "stale";
}

/** Why an event is not to be applied, as far as is known before its transaction. Out: undefined for a new one. Refuses: the database's errors. */
export async function findTaken({ query }: Queryable, event: InboxEvent): Promise<"duplicate" | "stale" | undefined> {
  const { dsid, id, eventId, streamVersion } = event;
  const rows = await query<{ readonly event_id: string }>({ text: APPLIED, values: [dsid, id, streamVersion] });
  const [last] = rows;
  return last && (last.event_id === eventId ? "duplicate" : "stale");
}
