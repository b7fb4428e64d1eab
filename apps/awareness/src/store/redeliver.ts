import { setTimeout as wait } from "node:timers/promises";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/**
 * What to deliver again: dead letters, all or one; one settled event; or everything settled of events received since a
 * time.
 */
export type Redelivery =
  | { readonly kind: "dead"; readonly eventId: string | undefined }
  | { readonly kind: "event"; readonly eventId: string }
  | { readonly kind: "since"; readonly sinceMs: number };

/** The size of a redelivery. */
export interface RedeliveryCount {
  readonly deliveries: number;
  readonly lanes: number;
}

/** How much was redelivered; `busyLanes` were in progress at every look, and nothing of them was redelivered. */
export interface Redelivered extends RedeliveryCount {
  readonly busyLanes: number;
}

const LANES_AT_ONCE = 500;
const DEADLINE_MS = 86_400_000;
const BUSY_WAIT_MS = 250;
/** Longer than a lease, after which a lane is free even if its worker died. */
const BUSY_TRIES = 100;
/** A count ends after this many deliveries, or examined lanes. */
const COUNTED_AT_MOST = 100_000;

/**
 * A lane with what decides whether a consumer may receive events of its record, and how many of its deliveries are
 * meant.
 */
export interface MeantLane extends LaneName {
  readonly schemaId: string;
  readonly newestVersion: number;
  readonly deliveries: number;
}

/** Selects the lanes that count. Out: a subset, in the same order. */
export type SelectLanes = (lanes: readonly MeantLane[]) => Promise<readonly MeantLane[]>;

const ALL_LANES: SelectLanes = async (lanes) => lanes;

/**
 * Counts what a redelivery would include, on the selected lanes. It ends after the part of 500 lanes in which it has
 * counted 100,000 deliveries or examined 100,000 lanes.
 *
 * Out: `more` where it ended before the last lane. Refuses: never. Source: decisions E7, V25.
 */
export async function countRedelivery(
  database: Queryable,
  { subscriptionId, redelivery, selectLanes = ALL_LANES }: Omit<RedeliveryRequest, "nowMs">,
): Promise<RedeliveryCount & { readonly more?: true }> {
  let count: RedeliveryCount = { deliveries: 0, lanes: 0 };
  let after: LaneName | undefined;
  for (let looked = 0; looked < COUNTED_AT_MOST && count.deliveries < COUNTED_AT_MOST; looked += LANES_AT_ONCE) {
    const page = await listLanes(database, { subscriptionId, redelivery, after });
    const selected = await selectLanes(page.lanes);
    const deliveries = selected.reduce((sum, lane) => sum + lane.deliveries, count.deliveries);
    count = { deliveries, lanes: count.lanes + selected.length };
    if (page.after === undefined) return count;
    after = page.after;
  }
  return { ...count, more: true };
}

/**
 * Puts settled deliveries of the next 500 lanes back on them, marked as replays, each with its own 24 h.
 *
 * A lane goes back to before the first of them, under its lock and only while no attempt is in progress. They are sent
 * in the order of their versions, and newer ones after them, never concurrently. It waits for a lane in progress, at
 * most 25 s. Out: what was redelivered, and the lane after which the next part begins, undefined at the end.
 * Refuses: an AbortError when `signal` ends the wait. Source: decisions E2, E7.
 */
export async function redeliverPart(
  database: Database,
  request: RedeliveryRequest,
  from?: LaneName,
): Promise<RedeliveredPart> {
  const { lanes, after } = await listLanes(database, { ...request, after: from });
  const selected = await (request.selectLanes ?? ALL_LANES)(lanes);
  const { deliveries, busyLanes } = await putBackWhenFree(database, request, selected);
  return { put: { deliveries, lanes: selected.length - busyLanes, busyLanes }, after };
}

/** The result of one part, and where the next one begins. */
export interface RedeliveredPart {
  readonly put: Redelivered;
  readonly after: LaneName | undefined;
}

/**
 * The deliveries of a subscription, on which lanes (all without a selection), and the time, read again for each
 * attempt.
 */
export interface RedeliveryRequest {
  readonly subscriptionId: string;
  readonly redelivery: Redelivery;
  readonly selectLanes?: SelectLanes;
  readonly nowMs: () => number;
  readonly signal?: AbortSignal;
}

/** A lane of one subscription: the owner and the record. */
export interface LaneName {
  readonly dsid: string;
  readonly recordId: string;
}

interface Part {
  readonly subscriptionId: string;
  readonly redelivery: Redelivery;
}

// Reads 500 lanes by their key, and each one's own deliveries: no part costs more. Subqueries without a join prevent
// the planner from reading whole tables.
async function listLanes(
  database: Queryable,
  { subscriptionId, redelivery, after }: Part & { readonly after: LaneName | undefined },
): Promise<{ readonly lanes: readonly MeantLane[]; readonly after: LaneName | undefined }> {
  const { rows } = await database.query<MeantLane>({
    // A binding document's ontology never changes, so any of a record's ontologies gives the same decision.
    text: `select p.dsid, p.record_id as "recordId", m.deliveries, m."schemaId",
                  (select h.last_version from stream_head h
                    where h.dsid = p.dsid and h.record_id = p.record_id) as "newestVersion"
             from (${pageOf(redelivery)}) p
            cross join lateral (
              select count(*)::int as deliveries,
                     min((select e.schema_id from event e where e.event_id = d.event_id)) as "schemaId"
                from delivery d
               where d.subscription_id = $1 and d.dsid = p.dsid and d.record_id = p.record_id
                 and ${conditionOf(redelivery)}) m
            order by p.dsid, p.record_id`,
    values: [subscriptionId, parameterOf(redelivery), after?.dsid ?? "", after?.recordId ?? "", LANES_AT_ONCE],
  });
  const lanes = rows.filter(({ deliveries }) => deliveries > 0);
  return { lanes, after: rows.length < LANES_AT_ONCE ? undefined : rows.at(-1) };
}

function pageOf(redelivery: Redelivery): string {
  const isByTime = redelivery.kind === "since";
  return `select ${isByTime ? "" : "distinct"} d.dsid, d.record_id from ${isByTime ? "lane" : "delivery"} d
           where d.subscription_id = $1 and (d.dsid, d.record_id) > ($3::text collate "C", $4::text collate "C")
             ${isByTime ? "" : `and ${conditionOf(redelivery)}`}
           order by d.dsid, d.record_id limit $5`;
}

async function putBackWhenFree(
  database: Database,
  { nowMs, signal, ...part }: RedeliveryRequest,
  lanes: readonly LaneName[],
): Promise<{ readonly deliveries: number; readonly busyLanes: number }> {
  let put = 0;
  let left = lanes;
  for (let tries = 1; left.length > 0 && tries <= BUSY_TRIES; tries += 1) {
    if (tries > 1) await wait(BUSY_WAIT_MS, undefined, signal === undefined ? {} : { signal });
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

// This takes the lease from a worker whose lease has ended.
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
  if (redelivery.kind === "event") return "d.state <> 'pending' and d.event_id = $2::uuid";
  return `d.state <> 'pending'
    and (select e.received_at >= $2::timestamptz from event e where e.event_id = d.event_id)`;
}

function parameterOf(redelivery: Redelivery): string | Date | undefined {
  return redelivery.kind === "since" ? new Date(redelivery.sinceMs) : redelivery.eventId;
}
