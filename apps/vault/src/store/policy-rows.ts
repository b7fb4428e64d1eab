import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

// From each key to the next through the index: one step per policy, not per MetaEnvelope.
const KEYS = `with recursive policy as (
  (select acl_key as key from meta_envelope where owner = $1 and acl_key is not null order by acl_key limit 1)
  union all
  select (select m.acl_key from meta_envelope m where m.owner = $1 and m.acl_key > policy.key order by m.acl_key limit 1)
    from policy where policy.key is not null)
select key from policy where key is not null`;

/** Lists the keys of the distinct policies of an owner's MetaEnvelopes, removed ones too. Source: decision V24. */
export async function listPolicyKeys(database: Queryable, owner: EName): Promise<readonly string[]> {
  const found = await database.query<{ key: string }>({ name: "policy-keys", text: KEYS, values: [owner] });
  return found.rows.map(({ key }) => key);
}

const BLOCKS = `select wanted.key, one.block from unnest($2::text[]) as wanted (key)
  cross join lateral (select m.acl_block as block from meta_envelope m
                       where m.owner = $1 and m.acl_key = wanted.key order by m.acl_key, m.ord limit 1) as one`;

/** Finds the text of an owner's policies by their keys. */
export async function findPolicyBlocks(
  database: Queryable,
  owner: EName,
  keys: readonly string[],
): Promise<readonly { readonly key: string; readonly block: string }[]> {
  const found = await database.query<{ key: string; block: string }>({
    name: "policy-blocks",
    text: BLOCKS,
    values: [owner, keys],
  });
  return found.rows;
}
