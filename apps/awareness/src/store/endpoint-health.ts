import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** How a subscription's endpoint fares. Counts stop at `COUNTED_AT_MOST`. Times are ISO 8601. */
export interface EndpointHealth {
  readonly subscriptionId: string;
  /** Since when it is only probed, and when next; null: it is delivered to. */
  readonly openedAt: string | null;
  readonly probeAt: string | null;
  /** While deliveries come back: how many at once; null: as many as ever. */
  readonly inFlightLimit: number | null;
  /** Records whose next event is on its way or waits. */
  readonly waiting: number;
  readonly dead: number;
  readonly last: { readonly at: string; readonly status: number | null; readonly error: string | null } | null;
}

/** Where counting stops: who has more has more than it needs to know. */
export const COUNTED_AT_MOST = 1_000;

interface HealthRow extends Pick<EndpointHealth, "subscriptionId" | "inFlightLimit" | "waiting" | "dead"> {
  readonly openedAt: Date | null;
  readonly probeAt: Date | null;
  readonly lastAt: Date | null;
  readonly status: number | null;
  readonly error: string | null;
}

/** Reads how the endpoints of a consumer's subscriptions fare, or of one of them. Refuses: never. Source: decision E7. */
export async function listEndpointHealth(
  on: Queryable,
  consumerId: string,
  subscriptionId?: string,
): Promise<readonly EndpointHealth[]> {
  const { rows } = await on.query<HealthRow>({
    text: `select s.id as "subscriptionId", s.opened_at as "openedAt", s.probe_at as "probeAt",
                  s.in_flight_limit as "inFlightLimit", w.waiting, d.dead, a.started_at as "lastAt", a.status, a.error
             from subscription s
             cross join lateral (select count(*)::int as waiting from (
               select from lane where subscription_id = s.id and next_at is not null limit ${COUNTED_AT_MOST}) l) w
             cross join lateral (select count(*)::int as dead from (
               select from delivery where subscription_id = s.id and died_at is not null limit ${COUNTED_AT_MOST}) d) d
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
