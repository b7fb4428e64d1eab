import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A record by its owner and its id. */
export interface RecordName {
  readonly dsid: string;
  readonly recordId: string;
}

/** The newest known policy of a record, as ingested. */
export interface RecordPolicy extends RecordName {
  readonly policy: string;
}

/**
 * Reads the newest policies of some records, as many as fit into `maxBytes`, and always the first.
 *
 * Out: in the order of the records; an unknown record is left out. Refuses: the database's errors.
 */
export async function listPolicies(
  on: Queryable,
  records: readonly RecordName[],
  maxBytes: number,
): Promise<{ readonly policies: readonly RecordPolicy[]; readonly read: number }> {
  const { rows } = await on.query<{ place: number; policy: string | null }>({
    name: "awareness-policies",
    text: `with asked as (
             select a.place::int, h.policy,
                    sum(octet_length(h.policy)) over (order by a.place) - octet_length(h.policy) as before
               from unnest($1::text[], $2::text[]) with ordinality as a (dsid, record_id, place)
               left join stream_head h on h.dsid = a.dsid and h.record_id = a.record_id)
           select place, policy from asked where coalesce(before, 0) < $3 order by place`,
    values: [records.map(({ dsid }) => dsid), records.map(({ recordId }) => recordId), maxBytes],
  });
  const policies = rows.flatMap(({ place, policy }) => {
    const record = records[place - 1];
    return record === undefined || policy === null ? [] : [{ ...record, policy }];
  });
  return { policies, read: rows.at(-1)?.place ?? records.length };
}
