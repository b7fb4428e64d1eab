import { groupFactsSql } from "@dataspace/access/facts/group-facts-sql";
import type { GroupQuestion, GroupRow } from "@dataspace/access/facts/find-facts";
import type { GroupStatement } from "@dataspace/access/facts/group-statement";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

const STATED = groupFactsSql("select * from group_statement c where c.owner = v.owner and c.current");
const GROUPS = `select v.owner as ename, said.grants, said.denies
  from vault v
  left join lateral (${STATED}) as said on true
 where v.owner = any ($1::text[]) and v.state in ('active', 'moving', 'arrived')`;

/**
 * Finds which eNames have their vault in this database, and what each states about the given names. Source: decision
 * V23.
 */
export async function findGroups(
  database: Queryable,
  { enames, granted, denied }: GroupQuestion,
): Promise<readonly GroupRow[]> {
  const found = await database.query<GroupRow>({ name: "groups", text: GROUPS, values: [enames, granted, denied] });
  return found.rows;
}

const STATEMENT = `select by_owner as "byOwner", statement from group_statement
 where owner = $1 and record_id = $2 and (current or version = $3::int) order by version desc limit 1`;
const OF_VERSION = `select by_owner as "byOwner", statement from group_statement
 where owner = $1 and record_id = $2 and version = $3::int`;

/** Finds what a versioned record states about its group: by that version, or by a later one that counts. */
export function findGroupStatement(
  database: Queryable,
  record: { readonly owner: EName; readonly id: string; readonly version: number },
): Promise<GroupStatement | undefined> {
  return findStatement(database, { name: "group-statement", text: STATEMENT }, record);
}

/** Finds what one version of a record stated about its group. */
export function findGroupStatementOfVersion(
  database: Queryable,
  record: { readonly owner: EName; readonly id: string; readonly version: number },
): Promise<GroupStatement | undefined> {
  return findStatement(database, { name: "group-statement:version", text: OF_VERSION }, record);
}

// Where callers are trusted by their headers, whoever shows no token writes as the owner (decision I2).
const OF_OWNER = `select coalesce(bool_and(credential = 'asserted' or (credential = 'wallet-token' and subject is not distinct from $1)), false)
   as "isOwners" from change where owner = $1 and record_id = $2`;

/** Finds whether the owner wrote all versions of a record. Out: false for a record without versions. It reads all of them. */
export async function isWrittenByOwnerAlone(
  database: Queryable,
  { owner, id }: { readonly owner: EName; readonly id: string },
): Promise<boolean> {
  const { rows } = await database.query<{ isOwners: boolean }>({
    name: "owners-alone",
    text: OF_OWNER,
    values: [owner, id],
  });
  return rows[0]?.isOwners === true;
}

async function findStatement(
  database: Queryable,
  statement: { readonly name: string; readonly text: string },
  { owner, id, version }: { readonly owner: EName; readonly id: string; readonly version: number },
): Promise<GroupStatement | undefined> {
  const values = [owner, id, version];
  const found = await database.query<{ byOwner: boolean; statement: string }>({ ...statement, values });
  const row = found.rows[0];
  return row === undefined ? undefined : { ...JSON.parse(row.statement), byOwner: row.byOwner };
}
