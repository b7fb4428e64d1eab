import type { GroupQuestion, GroupRow } from "@dataspace/access/facts/find-facts";
import type { ReadingRow } from "@dataspace/access/facts/signed-readings";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

// As the vault decides. Of an owner whose events come here and who states nothing, it is known that it has no members.
const MOST_STATEMENTS = 16;
const GROUPS = `select asked.dsid as ename, said.grants, said.denies
  from unnest($1::text[]) as asked (dsid)
  left join lateral (
    select (array_agg(s.by_owner and s.granted && $2::text[] order by s.place))[1] as grants,
           bool_or(s.place <= coalesce(s.newest_of_owner, s.place) and (s.denied is null or s.denied && $3::text[]))
             or min(s.newest_of_owner) is null and count(*) > ${MOST_STATEMENTS} as denies
      from (select g.*, min(g.place) filter (where g.by_owner) over () as newest_of_owner
              from (select n.by_owner, n.granted, n.denied, row_number() over (order by n.ord desc, n.record_id desc) as place
                      from (select * from delivery_group_statement c where c.dsid = asked.dsid
                             order by c.ord desc, c.record_id desc limit ${MOST_STATEMENTS + 1}) as n) as g) as s
    having count(*) > 0) as said on true
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
