import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A vault of this database, with the newest record that says who its group's members are, where it has one. */
export interface GroupRow {
  readonly ename: EName;
  /** null: no such record, so this is no group. */
  readonly payloadText: string | null;
  /** What the record's last writer proved itself with. */
  readonly credential: string | null;
}

/** The ontologies of records that say who the members of a group are. Source: decision V23. */
const MEMBERSHIP_ONTOLOGIES = ["a8bfb7cf-3200-4b25-9ea9-ee41100f212e", "550e8400-e29b-41d4-a716-446655440003"];

const named = (member: string) => `'@' || lower(ltrim(btrim(m.payload::json ->> '${member}'), '@'))`;

const GROUPS = `select v.owner as ename, membership.payload as "payloadText", membership.credential
  from vault v
  left join lateral (
    select m.payload, m.credential from meta_envelope m
     where m.owner = v.owner and m.ontology = any ($2::text[]) and not m.removed and not m.quarantined
       and v.owner in (${named("eName")}, ${named("ename")})
     order by m.ord desc limit 1) as membership on true
 where v.owner = any ($1::text[])`;

/** Finds those of some eNames that have their vault in this database, and what each says of itself as a group. */
export async function findGroups(database: Queryable, enames: readonly EName[]): Promise<readonly GroupRow[]> {
  const found = await database.query<GroupRow>({
    name: "groups",
    text: GROUPS,
    values: [enames, MEMBERSHIP_ONTOLOGIES],
  });
  return found.rows;
}
