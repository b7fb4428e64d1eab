import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { firstAttemptId } from "./attempt-id.ts";

const MOST_AT_ONCE = 10_000;

// An attempt's id begins with the time of its creation, so those of a subscription are in that order.
const PURGE = `
with old as (
  select a.place from subscription s
   cross join lateral (
     select ctid as place from attempt where subscription_id = s.id and id < $1::uuid
      order by id limit $2 for update skip locked) a
   limit $2)
delete from attempt where ctid = any (array(select place from old))`;

/**
 * Deletes attempts that began before a time (milliseconds since the epoch), at most 10,000. Out: how many. Source:
 * decision E7.
 */
export async function purgeAttempts(database: Queryable, beforeMs: number): Promise<number> {
  const values = [firstAttemptId(beforeMs), MOST_AT_ONCE];
  const { rowCount } = await database.query({ name: "purge-attempts", text: PURGE, values });
  return rowCount;
}
