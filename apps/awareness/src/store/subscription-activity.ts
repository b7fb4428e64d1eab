import type { Queryable } from "@dataspace/service-kit/postgres/database";

const EXPIRED_AT_ONCE = 1_000;

/**
 * Deactivates a subscription at a time in ISO 8601: it matches nothing more, and its queued deliveries wait. Refuses:
 * never. Source: decision E9.
 */
export async function deactivateSubscription(database: Queryable, subscriptionId: string, at: string): Promise<void> {
  await database.query({
    name: "subscription-deactivate",
    text: `update subscription set active = false, paused_at = coalesce(paused_at, $2::timestamptz) where id = $1`,
    values: [subscriptionId, at],
  });
}

/**
 * Removes subscriptions that have been paused since before a time, at most 1,000.
 *
 * In: milliseconds since the epoch. Out: how many. Refuses: never. Source: decision V21.
 */
export async function expirePaused(
  database: Queryable,
  { nowMs, pausedBeforeMs }: Readonly<Record<"nowMs" | "pausedBeforeMs", number>>,
): Promise<number> {
  const { rowCount } = await database.query({
    name: "subscription-expire",
    text: `update subscription set removed = true, removed_at = $2::timestamptz
            where id in (select id from subscription where not active and not removed and paused_at < $1::timestamptz
                          order by paused_at limit $3 for update skip locked)`,
    values: [new Date(pausedBeforeMs), new Date(nowMs), EXPIRED_AT_ONCE],
  });
  return rowCount;
}
