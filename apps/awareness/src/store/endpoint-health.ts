import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The health of a subscription's endpoint. Times are ISO 8601. */
export interface EndpointHealth {
  readonly subscriptionId: string;
  /** Since when it is only probed, and the next probe; null: deliveries are sent. */
  readonly openedAt: string | null;
  readonly probeAt: string | null;
  /** While deliveries return: how many at once; null: no reduced limit. */
  readonly inFlightLimit: number | null;
  readonly last: { readonly at: string; readonly status: number | null; readonly error: string | null } | null;
}

/** A record with a waiting delivery or a dead letter of a subscription, with what decides who may read it. */
export interface BacklogRecord {
  readonly subscriptionId: string;
  readonly isDead: boolean;
  readonly dsid: string;
  readonly recordId: string;
  readonly schemaId: string;
  readonly newestVersion: number;
  /** When a waiting record is due; null for a dead letter, and while an attempt is in progress. */
  readonly nextAt: string | null;
}

/** The number of waiting records, and of dead letters, of a subscription that are examined. */
export const COUNTED_AT_MOST = 100;

interface HealthRow extends Pick<EndpointHealth, "subscriptionId" | "inFlightLimit"> {
  readonly openedAt: Date | null;
  readonly probeAt: Date | null;
  readonly lastAt: Date | null;
  readonly status: number | null;
  readonly error: string | null;
}

/**
 * Reads the health of the endpoints of a consumer's subscriptions, or of one of them. Refuses: never. Source: decision
 * E7.
 */
export async function listEndpointHealth(
  on: Queryable,
  consumerId: string,
  subscriptionId?: string,
): Promise<readonly EndpointHealth[]> {
  const { rows } = await on.query<HealthRow>({
    text: `select s.id as "subscriptionId", s.opened_at as "openedAt", s.probe_at as "probeAt",
                  s.in_flight_limit as "inFlightLimit", a.started_at as "lastAt", a.status, a.error
             from subscription s
             left join lateral (select started_at, status, error from attempt
               where subscription_id = s.id order by id desc limit 1) a on true
            where s.consumer_id = $1 and not s.removed and ($2::uuid is null or s.id = $2::uuid)`,
    values: [consumerId, subscriptionId],
  });
  return rows.map(({ openedAt, probeAt, lastAt, status, error, ...row }) => ({
    ...row,
    openedAt: openedAt?.toISOString() ?? null,
    probeAt: probeAt?.toISOString() ?? null,
    last: lastAt === null ? null : { at: lastAt.toISOString(), status, error },
  }));
}

/**
 * Lists, for each of a consumer's subscriptions or for one of them, the first 100 waiting records and the latest 100
 * dead letters.
 *
 * Refuses: never. Source: decision E7.
 */
export async function listBacklog(
  on: Queryable,
  consumerId: string,
  subscriptionId?: string,
): Promise<readonly BacklogRecord[]> {
  const { rows } = await on.query<Omit<BacklogRecord, "nextAt"> & { readonly nextAt: Date | null }>({
    text: `select s.id as "subscriptionId", r.is_dead as "isDead", r.dsid, r.record_id as "recordId", r.next_at as "nextAt",
                  e.schema_id as "schemaId", h.last_version as "newestVersion"
             from subscription s
             cross join lateral (
               (select false as is_dead, dsid, record_id, case when lease is null then next_at end as next_at from lane
                 where subscription_id = s.id and lane.next_at is not null order by lane.next_at limit ${COUNTED_AT_MOST})
               union all
               (select true, dsid, record_id, null from delivery
                 where subscription_id = s.id and died_at is not null order by died_at desc limit ${COUNTED_AT_MOST})) r
             cross join lateral (select last_version from stream_head
               where dsid = r.dsid and record_id = r.record_id limit 1) h
             cross join lateral (select schema_id from event
               where dsid = r.dsid and record_id = r.record_id order by stream_version desc limit 1) e
            where s.consumer_id = $1 and not s.removed and ($2::uuid is null or s.id = $2::uuid)`,
    values: [consumerId, subscriptionId],
  });
  return rows.map(({ nextAt, ...row }) => ({ ...row, nextAt: nextAt?.toISOString() ?? null }));
}
