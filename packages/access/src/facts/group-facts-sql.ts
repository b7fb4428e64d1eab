/** As many newest statements of a group are read. If none of them is the owner's, the group is unknown and denies everybody. */
const MOST_STATEMENTS = 16;

/**
 * Writes the select of what a group states about names: `grants` and `denies`, or no row where it states nothing.
 *
 * Only the newest statement grants, and only if the owner wrote it. Statements of others deny, beside the newest of the
 * owner. In: `statements`, a select of the group's rows under the name `c`, with the columns `by_owner`, `granted`,
 * `denied`, `ord` and `record_id`. `$2` are the names that a grant counts, `$3` those that a denial binds.
 * Source: decision V23.
 */
export function groupFactsSql(statements: string): string {
  return `select (array_agg(s.by_owner and s.granted && $2::text[] order by s.place))[1] as grants,
           bool_or(s.place <= coalesce(s.newest_of_owner, s.place) and (s.denied is null or s.denied && $3::text[]))
             or min(s.newest_of_owner) is null and count(*) > ${MOST_STATEMENTS} as denies
      from (select g.*, min(g.place) filter (where g.by_owner) over () as newest_of_owner
              from (select n.by_owner, n.granted, n.denied, row_number() over (order by n.ord desc, n.record_id desc) as place
                      from (${statements}
                             order by c.ord desc, c.record_id desc limit ${MOST_STATEMENTS + 1}) as n) as g) as s
    having count(*) > 0`;
}
