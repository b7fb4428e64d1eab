import type { GroupStatement } from "@dataspace/access/facts/group-statement";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { IngestedEvent } from "../events/ingested-event.ts";

/** A record as far as it is stored; `ord` is when its first event occurred. */
interface Stated {
  readonly event: IngestedEvent;
  readonly ord: string;
}

/** Deletes what records stated before. */
export async function deleteStated(tx: Queryable, events: readonly IngestedEvent[]): Promise<void> {
  await tx.query({
    name: "awareness-delete-stated",
    text: `with asked as (select * from unnest($1::text[], $2::text[]) as asked (dsid, record_id)),
                groups as (delete from delivery_group_statement g using asked a where g.dsid = a.dsid and g.record_id = a.record_id)
           delete from delivery_reading r using asked a where r.dsid = a.dsid and r.record_id = a.record_id`,
    values: namesOfRecords(events),
  });
}

/** Stores what groups state about their members. */
export async function writeGroups(
  tx: Queryable,
  rows: readonly (Stated & {
    readonly statement: GroupStatement;
    readonly granted: readonly string[];
    readonly denied: readonly string[] | null;
  })[],
): Promise<void> {
  // Lists of names differ in length, so that they come as JSON.
  await tx.query({
    name: "awareness-write-groups",
    text: `insert into delivery_group_statement (dsid, record_id, ord, by_owner, statement, granted, denied)
           select dsid, record_id, ord, by_owner, statement,
                  array(select json_array_elements_text(granted::json)),
                  case when denied is not null then array(select json_array_elements_text(denied::json)) end
             from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bool[], $5::text[], $6::text[], $7::text[])
                    as given (dsid, record_id, ord, by_owner, statement, granted, denied)`,
    values: [
      ...namesOfRecords(rows.map(({ event }) => event)),
      rows.map(({ ord }) => ord),
      rows.map(({ statement }) => statement.byOwner),
      rows.map(({ statement: { granted, denied } }) => JSON.stringify({ granted, denied })),
      rows.map(({ granted }) => JSON.stringify(granted)),
      rows.map(({ denied }) => (denied === null ? null : JSON.stringify(denied))),
    ],
  });
}

/** Stores signed readings. */
export async function writeReadings(
  tx: Queryable,
  rows: readonly (Stated & { readonly payload: string })[],
): Promise<void> {
  await tx.query({
    name: "awareness-write-readings",
    text: `insert into delivery_reading (dsid, record_id, ontology, ord, payload)
           select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])`,
    values: [
      ...namesOfRecords(rows.map(({ event }) => event)),
      rows.map(({ event }) => event.schemaId),
      rows.map(({ ord }) => ord),
      rows.map(({ payload }) => payload),
    ],
  });
}

function namesOfRecords(events: readonly IngestedEvent[]): readonly [readonly string[], readonly string[]] {
  return [events.map(({ dsid }) => dsid), events.map(({ recordId }) => recordId)];
}
