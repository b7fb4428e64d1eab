import type { Database } from "@dataspace/service-kit/postgres/database";

/** Webhooks that are to wait for one subscription, so many of each of so many new records. */
export interface WaitingWebhooks {
  readonly subscriptionId: string;
  readonly records: number;
  readonly versions: number;
}

const TABLES = ["event", "feed", "stream_head", "lane", "delivery", "attempt"];
const CHUNK = 20_000;

/** Queues webhooks inside the awareness service's database as its ingest would have, with their places in the feed. */
export async function loadDeliveries(database: Database, waiting: WaitingWebhooks): Promise<void> {
  const { subscriptionId, records, versions } = waiting;
  for (let from = 0; from < records; from += CHUNK) {
    await database.query({ text: LOAD, values: [subscriptionId, from, Math.min(records, from + CHUNK) - 1, versions] });
  }
  for (const table of TABLES) await database.query({ text: `vacuum analyze ${table}`, values: [] });
}

/** Forgets all that was queued and delivered. */
export async function emptyDeliveries(database: Database): Promise<void> {
  await database.query({ text: `truncate ${TABLES.join(", ")}`, values: [] });
}

/** Lets a subscription hear, or not, as if its endpoint had never failed. */
export async function setActive(database: Database, subscriptionId: string, active: boolean): Promise<void> {
  await database.query({
    text: `update subscription set active = $2, failures = 0, failed_lanes = '{}', opened_at = null, probe_at = null,
                  failed_probes = 0, in_flight_limit = null where id = $1`,
    values: [subscriptionId, active],
  });
}

const LOAD = `with record as (
  select gen_random_uuid()::text as id, '@' || md5((i % 100)::text)::uuid as dsid from generate_series($2::int, $3::int) as i),
named as (
  select record.*, version, gen_random_uuid() as event_id,
         coalesce((select max(position) from feed), 0) + row_number() over (order by version, id) as place
    from record cross join generate_series(1, $4::int) as version),
whole as (
  select named.*, '{"eventId":"' || event_id || '","id":"' || id || '","dsid":"' || dsid || '","schemaId":"note","data":{"text":"'
           || repeat('harbour morning ', 15) || '"},"vaultPublicKey":null,"operation":"update","streamVersion":' || version
           || ',"occurredAt":"2026-03-14T09:26:53.589Z"}' as body
    from named),
events as (
  insert into event (event_id, dsid, record_id, stream_version, schema_id, operation, body, policy, occurred_at, received_at)
  select event_id, dsid, id, version, 'note', 'update', body, '{"acl":["*"],"_acl":null,"owner":null}', now(), now()
    from whole order by place),
places as (insert into feed (position, event_id) select place, event_id from named),
heads as (
  insert into stream_head (dsid, record_id, last_version, policy)
  select dsid, id, $4, '{"acl":["*"],"_acl":null,"owner":null}' from record),
lanes as (
  insert into lane (subscription_id, dsid, record_id, tail_version, next_at) select $1::uuid, dsid, id, $4, now() from record)
insert into delivery (subscription_id, dsid, record_id, stream_version, event_id, deadline)
select $1::uuid, dsid, id, version, event_id, now() + interval '1 day' from whole order by place`;
