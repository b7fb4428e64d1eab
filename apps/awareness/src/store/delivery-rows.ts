import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { IngestedEvent } from "../events/ingested-event.ts";

/** One event for one subscription. */
export interface PlannedDelivery {
  readonly subscriptionId: string;
  readonly event: Pick<IngestedEvent, "eventId" | "dsid" | "recordId" | "streamVersion">;
}

/**
 * Queues deliveries, and makes the lane of each stream and subscription due: a lane with a due time keeps it, an idle
 * one is due at once. Lanes are locked in the order of their keys, as everywhere.
 *
 * In: `nowAt` and `deadline`, ISO 8601. Source: decisions E1, E2.
 */
export async function insertDeliveries(
  tx: Queryable,
  planned: readonly PlannedDelivery[],
  times: { readonly nowAt: string; readonly deadline: string },
): Promise<void> {
  if (planned.length === 0) return;
  await tx.query({
    name: "awareness-queue-deliveries",
    text: `with given as (
             select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::uuid[])
               as given (subscription_id, dsid, record_id, stream_version, event_id)),
           queued as (
             insert into delivery (subscription_id, dsid, record_id, stream_version, event_id, deadline)
             select given.*, $6::timestamptz from given)
           insert into lane (subscription_id, dsid, record_id, tail_version, next_at)
           select subscription_id, dsid, record_id, max(stream_version), $7::timestamptz from given
            group by subscription_id, dsid, record_id
            order by subscription_id, dsid collate "C", record_id collate "C"
           on conflict (subscription_id, dsid, record_id) do update
              set tail_version = greatest(lane.tail_version, excluded.tail_version),
                  next_at = coalesce(lane.next_at, excluded.next_at)`,
    values: [
      planned.map(({ subscriptionId }) => subscriptionId),
      planned.map(({ event }) => event.dsid),
      planned.map(({ event }) => event.recordId),
      planned.map(({ event }) => event.streamVersion),
      planned.map(({ event }) => event.eventId),
      times.deadline,
      times.nowAt,
    ],
  });
}
