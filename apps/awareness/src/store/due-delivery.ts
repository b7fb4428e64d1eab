import type { LaneKey } from "@dataspace/lanes/lane";
import type { Queryable } from "@dataspace/service-kit/database";
import type { LaneColumn } from "./claim-lanes.ts";
import type { Consumer } from "./consumer-rows.ts";

/** The delivery that is next on a lane, with all that an attempt needs. Times are milliseconds since the epoch (UTC). */
export interface DueDelivery {
  readonly subscriptionId: string;
  readonly dsid: string;
  readonly recordId: string;
  readonly streamVersion: number;
  readonly eventId: string;
  readonly deadlineMs: number;
  readonly replay: boolean;
  readonly schemaId: string;
  /** The webhook's text as the vault froze it. */
  readonly body: string;
  /** The newest policy known of the record, as ingested. */
  readonly policy: string;
  readonly consumer: Consumer;
  readonly targetUrl: string;
  /** The subscription's secrets that are valid now, sealed, the newest first. */
  readonly sealedSecrets: readonly Buffer[];
  /** Whether anything is noted against the endpoint. */
  readonly isTroubled: boolean;
}

/**
 * Reads what is next on a lane that is held: the lowest pending delivery above what is done; undefined if there is none.
 *
 * In: `nowMs` decides which secrets are valid. It is no part of the claim's statement, so that it sees whatever was committed
 * before the claim. Refuses: never. Source: decisions E1, E4.
 */
export async function readDueDelivery(
  database: Queryable,
  lane: LaneKey<LaneColumn>,
  nowMs: number,
): Promise<DueDelivery | undefined> {
  const { rows } = await database.query<DueRow>({
    name: "due-delivery",
    text: DUE,
    values: [lane.subscription_id, lane.dsid, lane.record_id, new Date(nowMs)],
  });
  return rows.map(({ deadline, ...row }) => ({ ...row, deadlineMs: deadline.getTime() }))[0];
}

interface DueRow extends Omit<DueDelivery, "deadlineMs"> {
  readonly deadline: Date;
}

const DUE = `
select l.subscription_id as "subscriptionId", l.dsid, l.record_id as "recordId", d.stream_version as "streamVersion",
       d.event_id as "eventId", d.deadline, d.replay, e.schema_id as "schemaId", e.body, h.policy,
       s.target_url as "targetUrl", k.secrets as "sealedSecrets",
       json_build_object('id', c.id, 'name', c.name, 'ename', c.ename, 'platform', c.platform, 'approved', c.approved) as consumer,
       s.failures > 0 or s.opened_at is not null or s.in_flight_limit is not null as "isTroubled"
  from lane l
  cross join lateral (
    select stream_version, event_id, deadline, replay from delivery
     where subscription_id = l.subscription_id and dsid = l.dsid and record_id = l.record_id
       and stream_version > l.done_version and state = 'pending'
     order by stream_version limit 1) d
  join event e on e.event_id = d.event_id
  join stream_head h on h.dsid = l.dsid and h.record_id = l.record_id
  join subscription s on s.id = l.subscription_id
  join consumer c on c.id = s.consumer_id
  cross join lateral (
    select coalesce(array_agg(sealed order by added_at desc), '{}') as secrets from subscription_secret
     where subscription_id = s.id and (not_after is null or not_after > $4::timestamptz)) k
 where l.subscription_id = $1 and l.dsid = $2 and l.record_id = $3`;
