import { groupFactsSql } from "@dataspace/access/facts/group-facts-sql";
import type { GroupQuestion, GroupRow } from "@dataspace/access/facts/find-facts";
import type { ReadingRow } from "@dataspace/access/facts/signed-readings";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

// Of an owner whose events come here and who states nothing, it is known that it has no members.
const STATED = groupFactsSql("select * from delivery_group_statement c where c.dsid = asked.dsid");
const GROUPS = `select asked.dsid as ename, said.grants, said.denies
  from unnest($1::text[]) as asked (dsid)
  left join lateral (${STATED}) as said on true
 where exists (select from stream_head h where h.dsid = asked.dsid)`;

/** Finds which eNames are known by their events, and what each states about the given names. Source: decision V23. */
export async function findStatedGroups(
  on: Queryable,
  { enames, granted, denied }: GroupQuestion,
): Promise<readonly GroupRow[]> {
  const values = [enames, granted, denied];
  return (await on.query<GroupRow>({ name: "awareness-groups", text: GROUPS, values })).rows;
}

const READINGS = `select wanted.ontology, newest.payload as "payloadText" from unnest($2::text[]) as wanted (ontology)
  cross join lateral (
    select r.payload from delivery_reading r
     where r.dsid = $1 and r.ontology in (wanted.ontology, substr(wanted.ontology, 2))
     order by r.ord desc, r.record_id desc limit 1) as newest`;

/** Finds the newest readings about a subject, by ontology, which is written with and without its @. Source: decision V24. */
export async function findStatedReadings(
  on: Queryable,
  subject: EName,
  ontologies: readonly EName[],
): Promise<readonly ReadingRow[]> {
  return (await on.query<ReadingRow>({ name: "awareness-readings", text: READINGS, values: [subject, ontologies] }))
    .rows;
}
