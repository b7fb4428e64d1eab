import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { firstAttemptId } from "./attempt-id.ts";
import type { LoggedAttempt } from "./delivery-log.ts";

/** An attempt with the ontology of its event; null where the event is no longer stored. */
export interface FoundAttempt extends LoggedAttempt {
  readonly schemaId: string | null;
}

/** Which attempts: all members together. Times in milliseconds since the epoch. */
export interface AttemptFilter {
  readonly outcome?: "delivered" | "failed" | undefined;
  readonly ontology?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** A search: at most `first` attempts, after the attempt `after`. */
export interface AttemptSearch {
  readonly subscriptionId: string;
  readonly filter: AttemptFilter;
  readonly first: number;
  readonly after?: string | undefined;
}

/** What a search found, newest first. `next`: the `after` of the following page, null at the end. */
export interface FoundAttempts {
  readonly entries: readonly FoundAttempt[];
  readonly next: string | null;
}

/** A search reads so many attempts at most; the next page continues from there. */
const EXAMINED = 5_000;
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface FoundRow extends Omit<FoundAttempt, "startedAt"> {
  readonly startedAt: Date;
}

// `examined` reads along the primary key, so that a filter that matches nothing costs no more than 5,000 rows.
const SEARCH = `
with examined as materialized (
  select a.*, (select e.schema_id from event e where e.event_id = a.event_id) as schema_id
    from attempt a
   where a.subscription_id = $1 and a.id < $2::uuid and a.id >= $3::uuid
   order by a.id desc limit $4),
matching as (
  select * from examined
   where ($5::boolean is null or coalesce(status between 200 and 299, false) = $5) and ($6::text is null or schema_id = $6)
   order by id desc limit $7)
select m.id, m.event_id as "eventId", m.number, m.started_at as "startedAt", m.duration_ms as "durationMs", m.status,
       m.error, m.answer, m.schema_id as "schemaId",
       (select count(*)::int from examined) as examined, (select id from examined order by id limit 1) as "lastId"
  from (select 1) one left join matching m on true
 order by m.id desc`;

/** Finds attempts of a subscription by a filter. Refuses: never. Source: decision E7. */
export async function searchAttempts(on: Queryable, search: AttemptSearch): Promise<FoundAttempts> {
  const { subscriptionId, first, after = LAST_ID } = search;
  const { outcome, ontology, sinceMs = 0, untilMs } = search.filter;
  const until = untilMs === undefined ? LAST_ID : firstAttemptId(untilMs);
  const { rows } = await on.query<FoundRow & { readonly examined: number; readonly lastId: string | null }>({
    name: "search-attempts",
    text: SEARCH,
    values: [
      subscriptionId,
      after < until ? after : until,
      firstAttemptId(sinceMs),
      EXAMINED,
      outcome === undefined ? null : outcome === "delivered",
      ontology ?? null,
      first,
    ],
  });
  const found = rows.filter(({ id }) => id !== null);
  const [{ examined, lastId } = { examined: 0, lastId: null }] = rows;
  const isFull = found.length === first;
  return {
    entries: found.map(({ examined: _examined, lastId: _lastId, startedAt, ...row }) => ({
      ...row,
      startedAt: startedAt.toISOString(),
    })),
    next: isFull ? (found.at(-1)?.id ?? null) : examined === EXAMINED ? lastId : null,
  };
}
