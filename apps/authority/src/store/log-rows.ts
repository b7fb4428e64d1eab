import { leafHash, nodeHash } from "@dataspace/platform-auth/log/merkle-hash";
import { hashOfRange, type Range, type Subtree, subtreesOf } from "@dataspace/platform-auth/log/merkle-ranges";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Tells this lock from others in the same database. */
const LOCK = 1_400_301;

/** Lets one transaction at a time append to the log, in all processes. It is held until the transaction ends. */
export async function lockLog(transaction: Queryable): Promise<void> {
  await transaction.query({ name: "log:lock", text: "select pg_advisory_xact_lock($1::bigint)", values: [LOCK] });
}

/** Counts the entries of the log. */
export async function countEntries(database: Queryable): Promise<number> {
  const text = "select coalesce(max(idx) + 1, 0)::bigint as size from log_entry";
  return Number((await database.query<{ size: number }>({ name: "log:size", text, values: [] })).rows[0]?.size ?? 0);
}

/**
 * Appends an entry, with the hash of every subtree that it completes. The caller holds the log's lock.
 *
 * Out: the entry's place. Source: RFC 9162 section 2.1.1.
 */
export async function appendEntry(transaction: Queryable, entry: string): Promise<number> {
  const idx = await countEntries(transaction);
  const completed: (Subtree & { readonly hash: Uint8Array })[] = [
    { level: 0, idx, hash: leafHash(new TextEncoder().encode(entry)) },
  ];
  for (let node = completed[0]; node !== undefined && node.idx % 2 === 1; node = completed.at(-1)) {
    const left = await readNodes(transaction, [{ level: node.level, idx: node.idx - 1 }]);
    const hash = nodeHash(left({ level: node.level, idx: node.idx - 1 }), node.hash);
    completed.push({ level: node.level + 1, idx: (node.idx - 1) / 2, hash });
  }
  await transaction.query({
    name: "log:append",
    text: `with entry as (insert into log_entry (idx, entry) values ($1, $2))
           insert into log_node (level, idx, hash) select * from unnest($3::smallint[], $4::bigint[], $5::bytea[])`,
    values: [
      idx,
      entry,
      completed.map(({ level }) => level),
      completed.map((node) => node.idx),
      completed.map(({ hash }) => Buffer.from(hash)),
    ],
  });
  return idx;
}

/** Computes the hashes of ranges of the log, in one question. Each range lies within the log. */
export async function hashRanges(database: Queryable, ranges: readonly Range[]): Promise<readonly Uint8Array[]> {
  const hashOf = await readNodes(database, ranges.flatMap(subtreesOf));
  return ranges.map((range) => hashOfRange(range, hashOf));
}

/** Reads entries from a place on. */
export async function listEntries(
  database: Queryable,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly string[]> {
  const text = "select entry from log_entry where idx >= $1 order by idx limit $2";
  const { rows } = await database.query<{ entry: string }>({ name: "log:entries", text, values: [from, limit] });
  return rows.map(({ entry }) => entry);
}

async function readNodes(database: Queryable, wanted: readonly Subtree[]): Promise<(subtree: Subtree) => Uint8Array> {
  const { rows } = await database.query<{ level: number; idx: number; hash: Uint8Array }>({
    name: "log:nodes",
    text: `select n.level, n.idx, n.hash from unnest($1::smallint[], $2::bigint[]) as wanted (level, idx)
             join log_node n using (level, idx)`,
    values: [wanted.map(({ level }) => level), wanted.map(({ idx }) => idx)],
  });
  const known = new Map(rows.map(({ level, idx, hash }) => [`${level} ${idx}`, hash]));
  return ({ level, idx }) => {
    const hash = known.get(`${level} ${idx}`);
    if (hash === undefined) throw new Error(`the log has no node ${idx} at level ${level}`);
    return hash;
  };
}
