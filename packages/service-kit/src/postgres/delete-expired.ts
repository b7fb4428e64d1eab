import type { Queryable } from "./database.ts";

/** Whose rows, with an `expires_at` that an index holds, and which of them: those of `before` (ISO 8601), so many at most. */
export interface Expired {
  readonly table: string;
  readonly before: string;
  readonly atMost: number;
}

/**
 * Deletes rows whose time is over, the longest first; those that somebody holds are passed over, so it waits for nobody.
 *
 * Out: how many. Refuses: the database's errors. Names are written into SQL as they are, so they come from code alone.
 */
export async function deleteExpired(database: Queryable, { table, before, atMost }: Expired): Promise<number> {
  const { rowCount } = await database.query({
    name: `${table}:expire`,
    // By their place: by a key the planner, which cannot know how few they are, would rather read the whole table.
    text: `delete from ${table} where ctid = any (array(
             select ctid from ${table} where expires_at <= $1::timestamptz
              order by expires_at limit $2 for update skip locked))`,
    values: [before, atMost],
  });
  return rowCount;
}
