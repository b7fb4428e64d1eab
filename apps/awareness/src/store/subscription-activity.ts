import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Deactivates a subscription: it matches nothing more, and what is queued waits. Refuses: never. Source: decision E9. */
export async function deactivateSubscription(database: Queryable, subscriptionId: string): Promise<void> {
  await database.query({
    name: "subscription-deactivate",
    text: "update subscription set active = false where id = $1",
    values: [subscriptionId],
  });
}
