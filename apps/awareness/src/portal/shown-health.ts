import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listenerOf } from "../consumers/listener-of.ts";
import type { Consumer } from "../store/consumer-rows.ts";
import { type EndpointHealth, listBacklog, listEndpointHealth } from "../store/endpoint-health.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";

/** How a subscription fares, as its consumer may know it: counts are of records that the consumer may read now, 100 at most. */
export interface ShownHealth extends EndpointHealth {
  readonly waiting: number;
  readonly dead: number;
}

/** What is asked to find it out; `listening` decides what a consumer counts as. */
export interface ShownHealthDeps {
  readonly database: Queryable;
  readonly decideVisibility: DecideVisibility;
  readonly listening: Parameters<typeof listenerOf>[1];
}

/** Reads how a consumer's subscriptions fare, or one of them. Refuses: never. Source: decision E7. */
export async function readHealth(
  { database, decideVisibility, listening }: ShownHealthDeps,
  consumer: Consumer,
  subscriptionId?: string,
): Promise<readonly ShownHealth[]> {
  const [all, backlog] = await Promise.all([
    listEndpointHealth(database, consumer.id, subscriptionId),
    listBacklog(database, consumer.id, subscriptionId),
  ]);
  const { isVisible } = await decideVisibility(listenerOf(consumer, listening), backlog);
  const visible = Map.groupBy(
    backlog.filter((_, index) => isVisible[index] === true),
    (record) => record.subscriptionId,
  );
  return all.map((health) => {
    const records = visible.get(health.subscriptionId) ?? [];
    const dead = records.filter(({ isDead }) => isDead).length;
    return { ...health, waiting: records.length - dead, dead };
  });
}
