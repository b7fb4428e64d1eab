import { setTimeout as wait } from "node:timers/promises";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/** What to deliver again: dead letters, all or one; or whatever was settled of events received since a time. */
export type Redelivery =
  | { readonly kind: "dead"; readonly eventId: string | undefined }
  | { readonly kind: "since"; readonly sinceMs: number };

/** How much that is. */
export interface RedeliveryCount {
  readonly deliveries: number;
  readonly lanes: number;
}

/** How much was put back; `busyLanes` were being attempted whenever they were looked at, and nothing of them was. */
export interface Redelivered extends RedeliveryCount {
  readonly busyLanes: number;
}

const LANES_AT_ONCE = 500;
const DEADLINE_MS = 86_400_000;
const BUSY_WAIT_MS = 250;
/** Longer than a lease, after which a lane is free whatever became of its worker. */
const BUSY_TRIES = 100;

/** A lane with what decides whether a consumer may be told of its record, and how many deliveries of it are meant. */
export interface MeantLane extends LaneName {
  readonly schemaId: string;
  readonly newestVersion: number;
  readonly deliveries: number;
}

/** Selects the lanes that count. Out: some of those given, in their order. */
export type SelectLanes = (lanes: readonly MeantLane[]) => Promise<readonly MeantLane[]>;

const ALL_LANES: SelectLanes = async (lanes) => lanes;

/**
 * Counts what a redelivery would put back, of the lanes that are selected. Refuses: never. Source: decision E7.
 */
export async function countRedelivery(
  database: Queryable,
  { subscriptionId, redelivery, selectLanes = ALL_LANES }: Omit<RedeliveryRequest, "nowMs">,
): Promise<RedeliveryCount> {
  let count: RedeliveryCount = { deliveries: 0, lanes: 0 };
  let after: LaneName | undefined;
  for (;;) {
    const lanes = await listLanes(database, { subscriptionId, redelivery, after });
    if (lanes.length === 0) return count;
    const selected = await selectLanes(lanes);
    const deliveries = selected.reduce((sum, lane) => sum + lane.deliveries, count.deliveries);
    count = { deliveries, lanes: count.lanes + selected.length };
    after = lanes.at(-1);
  }
}

/**
 * Puts settled deliveries back on their lanes, marked as replays, each with 24 h of its own.
 *
 * A lane goes back to before its first of them, under its lock and only while nobody attempts on it: they are sent in the order of
 * their versions, and what is newer on the lane after them, never beside them. A lane that is being attempted is waited for,
 * 25 s at most. Out: what was put back. Refuses: never. Source: decisions E2, E7.
 */
export async function redeliver(
  database: Database,
  { subscriptionId, redelivery, nowMs, selectLanes = ALL_LANES }: RedeliveryRequest,
): Promise<Redelivered> {
  let done: Redelivered = { deliveries: 0, lanes: 0, busyLanes: 0 };
  let after: LaneName | undefined;
  for (;;) {
    const lanes = await listLanes(database, { subscriptionId, redelivery, after });
    if (lanes.length === 0) return done;
    const selected = await selectLanes(lanes);
    const { deliveries, busyLanes } = await putBackWhenFree(database, { subscriptionId, redelivery, nowMs }, selected);
    done = {
      deliveries: done.deliveries + deliveries,
      lanes: done.lanes + selected.length - busyLanes,
      busyLanes: done.busyLanes + busyLanes,
    };
    after = lanes.at(-1);
  }
}

/** Which deliveries of which subscription, of which lanes (all where nothing selects), and the time, asked anew for each part. */
export interface RedeliveryRequest {
  readonly subscriptionId: string;
  readonly redelivery: Redelivery;
  readonly selectLanes?: SelectLanes;
  readonly nowMs: () => number;
}

interface LaneName {
  readonly dsid: string;
  readonly recordId: string;
}

interface Part {
  readonly subscriptionId: string;
  readonly redelivery: Redelivery;
}

async function listLanes(
  database: Queryable,
  { subscriptionId, redelivery, after }: Part & { readonly after: LaneName | undefined },
): Promise<readonly MeantLane[]> {
  const { rows } = await database.query<MeantLane>({
    // A binding document's ontology never changes, so any of a record's ontologies decides as well as another.
    text: `select l.*, h.last_version as "newestVersion" from (
             select d.dsid, d.record_id as "recordId", count(*)::int as deliveries, min(e.schema_id) as "schemaId"
               from delivery d join event e on e.event_id = d.event_id
              where d.subscription_id = $1 and ${conditionOf(redelivery)}
                and (d.dsid, d.record_id) > ($3::text collate "C", $4::text collate "C")
              group by d.dsid, d.record_id order by d.dsid, d.record_id limit $5) l
             join stream_head h on h.dsid = l.dsid and h.record_id = l."recordId"
            order by l.dsid, l."recordId"`,
    values: [subscriptionId, parameterOf(redelivery), after?.dsid ?? "", after?.recordId ?? "", LANES_AT_ONCE],
  });
  return rows;
}

async function putBackWhenFree(
  database: Database,
  { nowMs, ...part }: RedeliveryRequest,
  lanes: readonly LaneName[],
): Promise<{ readonly deliveries: number; readonly busyLanes: number }> {
  let put = 0;
  let left = lanes;
  for (let tries = 1; left.length > 0 && tries <= BUSY_TRIES; tries += 1) {
    if (tries > 1) await wait(BUSY_WAIT_MS);
    const { deliveries, busy } = await database.transaction((transaction) =>
      putBack(transaction, { ...part, nowMs: nowMs() }, left),
    );
    put += deliveries;
    left = busy;
  }
  return { deliveries: put, busyLanes: left.length };
}

async function putBack(
  transaction: Queryable,
  { subscriptionId, redelivery, nowMs }: Part & { readonly nowMs: number },
  lanes: readonly LaneName[],
): Promise<{ readonly deliveries: number; readonly busy: readonly LaneName[] }> {
  const { rows } = await transaction.query<LaneName & { readonly isFree: boolean }>({
    text: `select l.dsid, l.record_id as "recordId", l.lease is null or l.next_at <= $4::timestamptz as "isFree" from lane l
             join unnest($2::text[], $3::text[]) as asked (dsid, record_id)
               on asked.dsid = l.dsid and asked.record_id = l.record_id
            where l.subscription_id = $1 order by l.dsid, l.record_id for update of l`,
    values: [subscriptionId, lanes.map(({ dsid }) => dsid), lanes.map(({ recordId }) => recordId), new Date(nowMs)],
  });
  const free = rows.filter(({ isFree }) => isFree);
  const { rows: put } = await transaction.query<{ readonly deliveries: number }>({
    text: PUT_BACK.replace("{condition}", conditionOf(redelivery)),
    values: [
      subscriptionId,
      parameterOf(redelivery),
      free.map(({ dsid }) => dsid),
      free.map(({ recordId }) => recordId),
      new Date(nowMs),
      new Date(nowMs + DEADLINE_MS),
    ],
  });
  return { deliveries: put[0]?.deliveries ?? 0, busy: rows.filter(({ isFree }) => !isFree) };
}

// The lease is taken from a worker that let it run out.
const PUT_BACK = `
with again as (
  update delivery d set state = 'pending', reason = null, settled_at = null, replay = true, deadline = $6::timestamptz
    from unnest($3::text[], $4::text[]) as asked (dsid, record_id)
   where d.subscription_id = $1 and d.dsid = asked.dsid and d.record_id = asked.record_id and {condition}
  returning d.dsid, d.record_id, d.stream_version),
first as (
  select dsid, record_id, min(stream_version) as version, count(*) as deliveries from again group by dsid, record_id),
moved as (
  update lane l set done_version = least(l.done_version, first.version - 1), next_at = $5::timestamptz, attempts = 0, lease = null
    from first where l.subscription_id = $1 and l.dsid = first.dsid and l.record_id = first.record_id
  returning first.deliveries)
select coalesce(sum(deliveries), 0)::int as deliveries from moved`;

function conditionOf(redelivery: Redelivery): string {
  if (redelivery.kind === "dead") return "d.died_at is not null and ($2::uuid is null or d.event_id = $2::uuid)";
  return `d.state <> 'pending'
    and exists (select from event e where e.event_id = d.event_id and e.received_at >= $2::timestamptz)`;
}

function parameterOf(redelivery: Redelivery): string | Date | undefined {
  return redelivery.kind === "dead" ? redelivery.eventId : new Date(redelivery.sinceMs);
}
