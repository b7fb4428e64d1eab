import type { Queryable } from "./database.ts";

/** A table whose `expires_at` has an index, and which rows to delete: those of `before` (ISO 8601), up to a number. */
export interface Expired {
  readonly table: string;
  readonly before: string;
  readonly atMost: number;
}

/**
 * Deletes expired rows, oldest first. It skips locked rows, so it never waits.
 *
 * Out: how many. Refuses: the database's errors. Names are written into SQL unchanged, so they must come from code.
 */
export async function deleteExpired(database: Queryable, { table, before, atMost }: Expired): Promise<number> {
  const { rowCount } = await database.query({
    name: `${table}:expire`,
    // By place (`ctid`): by key, the planner would read the whole table, because it cannot know how few rows there are.
    text: `delete from ${table} where ctid = any (array(
             select ctid from ${table} where expires_at <= $1::timestamptz
              order by expires_at limit $2 for update skip locked))`,
    values: [before, atMost],
  });
  return rowCount;
}
