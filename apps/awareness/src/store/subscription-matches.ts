import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A subscription whose filters match some events; `places` are their indexes in the given list. */
export interface SubscriptionMatch {
  readonly id: string;
  readonly targetUrl: string;
  readonly consumer: { readonly ename: EName | null; readonly platform: string | null };
  readonly places: readonly number[];
}

/**
 * Lists the active subscriptions whose filters match some of the events. The cost depends on the number of matches, and
 * of subscriptions that name an event's vault and another ontology.
 *
 * Refuses: the database's errors. Source: decisions E9, V25.
 */
export async function listMatches(
  on: Queryable,
  events: readonly { readonly schemaId: string; readonly dsid: string }[],
): Promise<readonly SubscriptionMatch[]> {
  const { rows } = await on.query<Omit<SubscriptionMatch, "consumer"> & SubscriptionMatch["consumer"]>({
    name: "awareness-matches",
    text: MATCHES,
    values: [events.map(({ schemaId }) => schemaId), events.map(({ dsid }) => dsid)],
  });
  return rows.map(({ ename, platform, ...match }) => ({ ...match, consumer: { ename, platform } }));
}

// The limit and the subquery without a join prevent the planner from reading whole tables.
const MATCHES = `
with found as (
  select f.subscription_id, array_agg(place::int - 1) as places
    from unnest($1::text[], $2::text[]) with ordinality as asked (schema_id, dsid, place)
   cross join lateral (
     select subscription_id from subscription_filter v
      where kind = 'vault' and value = asked.dsid
        and (select s.ontology_filter = '{}' or asked.schema_id = any (s.ontology_filter)
               from subscription s where s.id = v.subscription_id)
     union all
     select subscription_id from subscription_filter where kind = 'ontology' and value = asked.schema_id
     union all
     select subscription_id from subscription_filter where kind = 'all' and value = '') f
   group by f.subscription_id)
select one.id, one.target_url as "targetUrl", one.ename, one.platform, found.places
  from found
 cross join lateral (
   select s.id, s.target_url, c.ename, c.platform from subscription s join consumer c on c.id = s.consumer_id
    where s.id = found.subscription_id limit 1) one`;
