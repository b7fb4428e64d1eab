import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

const ROWS_AT_ONCE = 10_000;
/** In this order, so that a lane has its deliveries as long as it may be looked at. */
const TABLES = ["lane", "delivery", "attempt", "subscription_secret"] as const;

/**
 * Deletes a subscription that was removed before a time, with its rows, at most 10,000 rows of one table at a time.
 *
 * In: milliseconds since the epoch; it must be longer ago than any transaction lasts, since one that began before the
 * removal may still store deliveries. Out: how many rows; call it until it returns 0. Any number of processes may do so
 * at once.
 * Refuses: the database's errors. Source: decision V21.
 */
export function purgeRemoved(database: Database, beforeMs: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ readonly id: string }>({
      name: "removed-find",
      text: `select id from subscription where removed_at < $1::timestamptz
              order by removed_at limit 1 for update skip locked`,
      values: [new Date(beforeMs)],
    });
    const [found] = rows;
    return found === undefined ? 0 : purgePart(transaction, found.id);
  });
}

async function purgePart(transaction: Queryable, id: string): Promise<number> {
  for (const table of TABLES) {
    const { rowCount } = await transaction.query({
      name: `removed-purge-${table}`,
      text: `delete from ${table} where ctid = any (array(select ctid from ${table} where subscription_id = $1 limit $2))`,
      values: [id, ROWS_AT_ONCE],
    });
    if (rowCount > 0) return rowCount;
  }
  const text = "delete from subscription where id = $1";
  return (await transaction.query({ name: "removed-purge", text, values: [id] })).rowCount;
}
