import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { type Listening, listenerOf } from "../consumers/listener-of.ts";
import type { Listener } from "../matching/listener.ts";
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

/** Reads the health of a consumer's subscriptions, or of one of them. */
export type ReadHealth = (consumer: Consumer, subscriptionId?: string) => Promise<readonly ShownHealth[]>;

/** Makes the reading of health; `listening` decides what a consumer counts as. Refuses: never. Source: decision E7. */
export function createReadHealth(
  deps: { readonly database: Queryable; readonly decideVisibility: DecideVisibility },
  listening: Listening,
): ReadHealth {
  return (consumer, subscriptionId) => readHealth(deps, listenerOf(consumer, listening), { consumer, subscriptionId });
}

async function readHealth(
  { database, decideVisibility }: Parameters<typeof createReadHealth>[0],
  listener: Listener,
  { consumer, subscriptionId }: { readonly consumer: Consumer; readonly subscriptionId: string | undefined },
): Promise<readonly ShownHealth[]> {
  const [all, backlog] = await Promise.all([
    listEndpointHealth(database, consumer.id, subscriptionId),
    listBacklog(database, consumer.id, subscriptionId),
  ]);
  const { outcomes } = await decideVisibility(listener, backlog);
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
