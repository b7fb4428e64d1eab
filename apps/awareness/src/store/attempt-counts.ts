import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { firstAttemptId } from "./attempt-id.ts";

/** How many attempts of a subscription succeeded and failed within one span of time, counted from `sinceMs`. */
export interface AttemptCount {
  readonly subscriptionId: string;
  /** 0 is the first span. */
  readonly span: number;
  readonly delivered: number;
  readonly failed: number;
}

/** The counts, and the time since which they are complete (ISO 8601); null: since the beginning. */
export interface AttemptCounts {
  readonly counts: readonly AttemptCount[];
  readonly completeSince: string | null;
}

/** What to count: the attempts of a consumer since a time, in spans of `spanMs`. Milliseconds since the epoch. */
export interface CountedSpan {
  readonly consumerId: string;
  readonly sinceMs: number;
  readonly spanMs: number;
}

/** A count reads so many attempts at most, shared by the consumer's subscriptions. */
export const ATTEMPTS_COUNTED = 50_000;

interface CountRow extends AttemptCount {
  readonly most: number;
  readonly firstAt: Date;
}

// Reads the newest attempts of each subscription along the primary key, whose ids begin with the time.
const COUNT = `
select s.id as "subscriptionId", s.most, min(a.started_at) as "firstAt",
       floor(extract(epoch from a.started_at - $3::timestamptz) * 1000 / $4::bigint)::int as span,
       count(*) filter (where a.status between 200 and 299)::int as delivered,
       count(*) filter (where a.status is null or a.status not between 200 and 299)::int as failed
  from (select id, $5::int / count(*) over () as most from subscription where consumer_id = $1 and not removed) s
 cross join lateral (
   select status, started_at from attempt where subscription_id = s.id and id >= $2::uuid
    order by id desc limit s.most) a
 group by 1, 2, 4`;

/** Counts a consumer's attempts since a time, the newest first up to the limit. Refuses: never. Source: decision E7. */
export async function countAttempts(
  on: Queryable,
  { consumerId, sinceMs, spanMs }: CountedSpan,
  most: number = ATTEMPTS_COUNTED,
): Promise<AttemptCounts> {
  const { rows } = await on.query<CountRow>({
    name: "count-attempts",
    text: COUNT,
    values: [consumerId, firstAttemptId(sinceMs), new Date(sinceMs), spanMs, most],
  });
  const cutOff = [...Map.groupBy(rows, ({ subscriptionId }) => subscriptionId).values()].flatMap((own) => {
    const sum = own.reduce((total, { delivered, failed }) => total + delivered + failed, 0);
    return sum < (own[0]?.most ?? 0) ? [] : [Math.min(...own.map(({ firstAt }) => firstAt.getTime()))];
  });
  return {
    counts: rows.map(({ subscriptionId, span, delivered, failed }) => ({ subscriptionId, span, delivered, failed })),
    completeSince: cutOff.length === 0 ? null : new Date(Math.max(...cutOff)).toISOString(),
  };
}
