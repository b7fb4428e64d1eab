import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { lockConsumer } from "./consumer-rows.ts";

/** A subscription as its consumer sees it. */
export interface Subscription {
  readonly id: string;
  readonly targetUrl: string;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
  readonly active: boolean;
}

/** A new subscription with its sealed secret. `at` is ISO 8601. */
export interface NewSubscription extends Omit<Subscription, "active"> {
  readonly consumerId: string;
  readonly sealedSecret: Buffer;
  readonly at: string;
}

/** The changes of a subscription; undefined members stay. */
export interface SubscriptionChange {
  readonly targetUrl?: string | undefined;
  readonly ontologyFilter?: readonly string[] | undefined;
  readonly vaultFilter?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

const COLUMNS = `id, target_url as "targetUrl", ontology_filter as "ontologyFilter", vault_filter as "vaultFilter", active`;

/** Stores a subscription and its secret unless its consumer already has `max`. Out: whether it was stored. */
export async function addSubscription(tx: Queryable, given: NewSubscription, max: number): Promise<boolean> {
  await lockConsumer(tx, given.consumerId);
  const { rowCount } = await tx.query({
    text: `insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, created_at)
           select $1, $2, $3, $4, $5, $6::timestamptz
            where (select count(*) from subscription where consumer_id = $2 and not removed) < $7`,
    values: [given.id, given.consumerId, given.targetUrl, given.ontologyFilter, given.vaultFilter, given.at, max],
  });
  if (rowCount === 0) return false;
  await tx.query({
    text: "insert into subscription_secret (subscription_id, sealed, added_at) values ($1, $2, $3)",
    values: [given.id, given.sealedSecret, given.at],
  });
  return true;
}

/** Lists a consumer's subscriptions, oldest first. */
export async function listSubscriptions(on: Queryable, consumerId: string): Promise<readonly Subscription[]> {
  const { rows } = await on.query<Subscription>({
    text: `select ${COLUMNS} from subscription where consumer_id = $1 and not removed order by created_at, id`,
    values: [consumerId],
  });
  return rows;
}

/** Finds one subscription of a consumer. */
export async function findSubscription(
  on: Queryable,
  consumerId: string,
  id: string,
): Promise<Subscription | undefined> {
  const { rows } = await on.query<Subscription>({
    text: `select ${COLUMNS} from subscription where id = $2 and consumer_id = $1 and not removed`,
    values: [consumerId, id],
  });
  return rows[0];
}

/** Changes one subscription of a consumer; `at` is the time, ISO 8601. Out: the subscription afterwards, undefined when there is none. */
export async function changeSubscription(
  on: Queryable,
  whose: { readonly consumerId: string; readonly id: string },
  { at, ...change }: SubscriptionChange & { readonly at: string },
): Promise<Subscription | undefined> {
  const { rows } = await on.query<Subscription>({
    text: `update subscription
              set target_url = coalesce($3, target_url), ontology_filter = coalesce($4, ontology_filter),
                  vault_filter = coalesce($5, vault_filter), active = coalesce($6, active),
                  paused_at = case when not coalesce($6, active) then coalesce(paused_at, $7::timestamptz) end
            where id = $2 and consumer_id = $1 and not removed
           returning ${COLUMNS}`,
    values: [
      whose.consumerId,
      whose.id,
      change.targetUrl ?? null,
      change.ontologyFilter ?? null,
      change.vaultFilter ?? null,
      change.active ?? null,
      at,
    ],
  });
  return rows[0];
}

/**
 * Removes one subscription of a consumer. It then matches nothing, and none of its lanes is claimed again.
 * `skipRemoved` handles its waiting deliveries, `purgeRemoved` its rows. In: `at`, ISO 8601. Out: whether it existed.
 */
export async function removeSubscription(
  on: Queryable,
  { consumerId, id, at }: Readonly<Record<"consumerId" | "id" | "at", string>>,
): Promise<boolean> {
  const { rowCount } = await on.query({
    text: `update subscription set removed = true, removed_at = $3::timestamptz
            where id = $2 and consumer_id = $1 and not removed`,
    values: [consumerId, id, at],
  });
  return rowCount === 1;
}
