import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The state of one event for one subscription. Times are ISO 8601. */
export interface OneDelivery {
  readonly eventId: string;
  readonly dsid: string;
  readonly id: string;
  readonly schemaId: string;
  readonly streamVersion: number;
  readonly operation: string;
  readonly requestingPlatform: string | null;
  readonly receivedAt: string;
  readonly state: "pending" | "delivered" | "dead" | "skipped";
  readonly reason: string | null;
  readonly deadline: string;
  readonly settledAt: string | null;
  /** When the record's lane is due; null when nothing waits on it. */
  readonly nextAt: string | null;
  /** The newest policy of the record, as ingested. */
  readonly policy: string;
  /** The access policy that the owner has signed last; null where none is known. */
  readonly ownerPolicy: string | null;
  /** The webhook's text. */
  readonly body: string;
}

type Stored = Omit<OneDelivery, "receivedAt" | "deadline" | "settledAt" | "nextAt"> &
  Readonly<Record<"receivedAt" | "deadline", Date>> &
  Readonly<Record<"settledAt" | "nextAt", Date | null>>;

/** Finds the state of an event for a subscription. Refuses: never. Source: decision E7. */
export async function findDelivery(
  on: Queryable,
  subscriptionId: string,
  eventId: string,
): Promise<OneDelivery | undefined> {
  const { rows } = await on.query<Stored>({
    text: `select e.event_id as "eventId", e.dsid, e.record_id as id, e.schema_id as "schemaId",
                  e.stream_version as "streamVersion", e.operation, e.requesting_platform as "requestingPlatform",
                  e.received_at as "receivedAt", e.body, d.state, d.reason, d.deadline, d.settled_at as "settledAt",
                  l.next_at as "nextAt", h.policy,
                  (select o.statement from delivery_owner_policy o where o.dsid = e.dsid) as "ownerPolicy"
             from event e
             join delivery d on (d.subscription_id, d.dsid, d.record_id, d.stream_version)
                              = ($1::uuid, e.dsid, e.record_id, e.stream_version)
             join stream_head h on (h.dsid, h.record_id) = (e.dsid, e.record_id)
             left join lane l on (l.subscription_id, l.dsid, l.record_id) = ($1::uuid, e.dsid, e.record_id)
            where e.event_id = $2`,
    values: [subscriptionId, eventId],
  });
  return rows.map(({ receivedAt, deadline, settledAt, nextAt, ...row }) => ({
    ...row,
    receivedAt: receivedAt.toISOString(),
    deadline: deadline.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
    nextAt: nextAt?.toISOString() ?? null,
  }))[0];
}
