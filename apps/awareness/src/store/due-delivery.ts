import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { ClaimedLane } from "./claim-lanes.ts";
import type { Consumer } from "./consumer-rows.ts";

/** The subscriber of a delivery. */
export interface Subscriber {
  readonly subscriptionId: string;
  readonly consumer: Consumer;
  readonly targetUrl: string;
  /** The subscription's currently valid secrets, sealed, in base64, newest first. */
  readonly sealedSecrets: readonly string[];
  /** Whether a failure of the endpoint is recorded. */
  readonly isTroubled: boolean;
}

/** The next delivery of a lane, with everything that an attempt needs. Times are milliseconds since the epoch (UTC). */
export interface DueDelivery {
  readonly subscriber: Subscriber;
  readonly dsid: string;
  readonly recordId: string;
  readonly streamVersion: number;
  readonly eventId: string;
  readonly deadlineMs: number;
  readonly replay: boolean;
  readonly schemaId: string;
  /** The webhook's text as the vault fixed it; null where it is large, and read later by `readBody`. */
  readonly body: string | null;
  /** The length of that text in UTF-8. */
  readonly bodyBytes: number;
  /** The newest known policy of the record, as ingested. */
  readonly policy: string;
  /** The access policy that the owner has signed last, as ingested; null where none is known. */
  readonly ownerPolicy: string | null;
  /** The span that stored the event; null where its mutation was not traced. */
  readonly traceparent: string | null;
}

/** Longer bodies are read separately. In bytes of UTF-8. */
export const LARGE_BODY_BYTES = 16_384;

/**
 * Reads the next deliveries of claimed lanes: the lowest pending delivery above the last done one; undefined where
 * there is none.
 *
 * In: `nowMs` decides which secrets are valid. Out: in the order of the lanes. It is separate from the claim's
 * statement, so that it sees everything that was committed before the claim. Refuses: never. Source: decisions E1, E4.
 */
export async function readDueDeliveries(
  database: Queryable,
  lanes: readonly ClaimedLane[],
  nowMs: number,
): Promise<readonly (DueDelivery | undefined)[]> {
  if (lanes.length === 0) return [];
  const [due, subscribers] = await Promise.all([readDue(database, lanes), readSubscribers(database, lanes, nowMs)]);
  const found = new Map(due.map((row) => [row.place, row]));
  return lanes.map(({ key }, index) => {
    const row = found.get(index + 1);
    const subscriber = subscribers.get(key.subscription_id);
    if (row === undefined || subscriber === undefined) return undefined;
    const { place: _, deadline, ...rest } = row;
    return { ...rest, deadlineMs: deadline.getTime(), dsid: key.dsid, recordId: key.record_id, subscriber };
  });
}

interface DueRow extends Omit<DueDelivery, "deadlineMs" | "subscriber" | "dsid" | "recordId"> {
  readonly place: number;
  readonly deadline: Date;
}

async function readDue(database: Queryable, lanes: readonly ClaimedLane[]): Promise<readonly DueRow[]> {
  const { rows } = await database.query<DueRow>({
    name: "due-deliveries",
    text: `select asked.place::int, d.stream_version as "streamVersion", d.event_id as "eventId", d.deadline, d.replay,
                  e.schema_id as "schemaId", e.traceparent, octet_length(e.body) as "bodyBytes",
                  case when octet_length(e.body) <= ${LARGE_BODY_BYTES} then e.body end as body, h.policy,
                  (select o.statement from delivery_owner_policy o where o.dsid = asked.dsid) as "ownerPolicy"
             from unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) with ordinality
                    as asked (subscription_id, dsid, record_id, done_version, place)
            cross join lateral (
              select stream_version, event_id, deadline, replay from delivery
               where subscription_id = asked.subscription_id and dsid = asked.dsid and record_id = asked.record_id
                 and stream_version > asked.done_version and state = 'pending'
               order by stream_version limit 1) d
             join event e on e.event_id = d.event_id
             join stream_head h on h.dsid = asked.dsid and h.record_id = asked.record_id`,
    values: [
      lanes.map(({ key }) => key.subscription_id),
      lanes.map(({ key }) => key.dsid),
      lanes.map(({ key }) => key.record_id),
      lanes.map(({ doneVersion }) => doneVersion),
    ],
  });
  return rows;
}

/**
 * Reads the webhook text of one event. Refuses: an error where the event does not exist; it is retained while one of
 * its deliveries is.
 */
export async function readBody(database: Queryable, eventId: string): Promise<string> {
  const { rows } = await database.query<{ readonly body: string }>({
    name: "event-body",
    text: "select body from event where event_id = $1",
    values: [eventId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("The event of a pending delivery is gone.");
  return row.body;
}

// The list is wrapped to hide its length from the planner, so that one plan serves all.
async function readSubscribers(
  database: Queryable,
  lanes: readonly ClaimedLane[],
  nowMs: number,
): Promise<ReadonlyMap<string, Subscriber>> {
  const { rows } = await database.query<Subscriber>({
    name: "due-subscribers",
    text: `select s.id as "subscriptionId", s.target_url as "targetUrl", k.secrets as "sealedSecrets",
                  json_build_object('id', c.id, 'name', c.name, 'ename', c.ename, 'platform', c.platform,
                                    'approved', c.approved, 'claim', c.claim::json) as consumer,
                  s.failures > 0 or s.opened_at is not null or s.in_flight_limit is not null as "isTroubled"
             from unnest((select $1::uuid[])) as asked (id)
             join subscription s on s.id = asked.id
             join consumer c on c.id = s.consumer_id
            cross join lateral (
              select coalesce(json_agg(encode(sealed, 'base64') order by added_at desc), '[]') as secrets from subscription_secret
               where subscription_id = s.id and (not_after is null or not_after > $2::timestamptz)) k`,
    values: [[...new Set(lanes.map(({ key }) => key.subscription_id))], new Date(nowMs)],
  });
  return new Map(rows.map((row) => [row.subscriptionId, row]));
}
