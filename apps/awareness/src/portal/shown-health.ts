import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listenerOf } from "../consumers/listener-of.ts";
import type { Consumer } from "../store/consumer-rows.ts";
import { type EndpointHealth, listBacklog, listEndpointHealth } from "../store/endpoint-health.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";

/**
 * A subscription's health, as its consumer may know it: counts include only records that the consumer may read now, 100
 * at most.
 */
export interface ShownHealth extends EndpointHealth {
  readonly waiting: number;
  readonly dead: number;
  /** The next attempt of a waiting record; null where nothing waits. */
  readonly nextAt: string | null;
}

/** The dependencies; `listening` decides what a consumer counts as. */
export interface ShownHealthDeps {
  readonly database: Queryable;
  readonly decideVisibility: DecideVisibility;
  readonly listening: Parameters<typeof listenerOf>[1];
}

/** Reads the health of a consumer's subscriptions, or of one of them. Refuses: never. Source: decision E7. */
export async function readHealth(
  { database, decideVisibility, listening }: ShownHealthDeps,
  consumer: Consumer,
  subscriptionId?: string,
): Promise<readonly ShownHealth[]> {
  const [all, backlog] = await Promise.all([
    listEndpointHealth(database, consumer.id, subscriptionId),
    listBacklog(database, consumer.id, subscriptionId),
  ]);
  const { outcomes } = await decideVisibility(listenerOf(consumer, listening), backlog);
  const visible = Map.groupBy(
    backlog.filter((_, index) => outcomes[index] === "admitted"),
    (record) => record.subscriptionId,
  );
  return all.map((health) => {
    const records = visible.get(health.subscriptionId) ?? [];
    const dead = records.filter(({ isDead }) => isDead).length;
    const nextAt = records.flatMap((record) => record.nextAt ?? []).sort()[0] ?? null;
    return { ...health, waiting: records.length - dead, dead, nextAt };
  });
}
