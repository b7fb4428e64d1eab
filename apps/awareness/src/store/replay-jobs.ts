import { randomUUID } from "node:crypto";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { CONSUMER_COLUMNS, type Consumer } from "./consumer-rows.ts";
import type { LaneName, RedeliveredPart, Redelivery } from "./redeliver.ts";

/** The last replay or redrive of a subscription. Counts are of what was redelivered so far. Times are ISO 8601. */
export interface ReplayJob {
  readonly id: string;
  /** Events received since then; null: all dead letters. */
  readonly since: string | null;
  readonly deliveries: number;
  readonly lanes: number;
  readonly busyLanes: number;
  readonly startedAt: string;
  /** null: it is running. */
  readonly finishedAt: string | null;
}

/** The right to run the next part of a job, for 60 s. */
export interface JobLease {
  readonly subscriptionId: string;
  readonly lease: string;
}

/** A job whose next part is due: its consumer, and the lane after which it begins. */
export interface ClaimedJob extends JobLease {
  readonly redelivery: Redelivery;
  readonly after: LaneName;
  readonly consumer: Consumer;
}

/** Longer than a part that waits for busy lanes. */
const LEASE_MS = 60_000;

/** Begins a job, in place of the previous one. Out: the lease of its first part, undefined while another is running. */
export async function beginJob(
  on: Queryable,
  {
    subscriptionId,
    sinceMs,
    nowMs,
  }: { readonly subscriptionId: string; readonly sinceMs: number | undefined; readonly nowMs: number },
): Promise<JobLease | undefined> {
  const [id, lease] = [randomUUID(), randomUUID()];
  const since = sinceMs === undefined ? null : new Date(sinceMs);
  const { rowCount } = await on.query({
    text: `insert into replay_job as j (subscription_id, id, since, started_at, next_at, lease)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (subscription_id) do update
              set id = excluded.id, since = excluded.since, after_dsid = '', after_record_id = '', deliveries = 0, lanes = 0,
                  busy_lanes = 0, started_at = excluded.started_at, finished_at = null, next_at = excluded.next_at,
                  lease = excluded.lease
            where j.finished_at is not null`,
    values: [subscriptionId, id, since, new Date(nowMs), new Date(nowMs + LEASE_MS), lease],
  });
  return rowCount === 1 ? { subscriptionId, lease } : undefined;
}

/** Claims the job that has waited longest for its next part. Jobs of removed subscriptions are skipped. */
export async function claimJob(on: Queryable, nowMs: number): Promise<ClaimedJob | undefined> {
  const { rows } = await on.query<
    Consumer & LaneName & { readonly subscriptionId: string; readonly lease: string; readonly since: Date | null }
  >({
    name: "replay-claim",
    text: `with due as (
             select j.subscription_id, s.consumer_id from replay_job j join subscription s on s.id = j.subscription_id
              where j.finished_at is null and j.next_at <= $1::timestamptz and not s.removed
              order by j.next_at limit 1 for update of j skip locked)
           update replay_job j set next_at = $2::timestamptz, lease = $3 from due join consumer c on c.id = due.consumer_id
            where j.subscription_id = due.subscription_id
           returning j.subscription_id as "subscriptionId", j.lease, j.since, j.after_dsid as dsid,
                     j.after_record_id as "recordId", ${CONSUMER_COLUMNS}`,
    values: [new Date(nowMs), new Date(nowMs + LEASE_MS), randomUUID()],
  });
  return rows.map(({ subscriptionId, lease, since, dsid, recordId, ...consumer }) => ({
    subscriptionId,
    lease,
    redelivery:
      since === null
        ? ({ kind: "dead", eventId: undefined } as const)
        : ({ kind: "since", sinceMs: since.getTime() } as const),
    after: { dsid, recordId },
    consumer,
  }))[0];
}

/**
 * Records what a part redelivered and releases the lease. Out: whether the lease was held; without it nothing is
 * recorded.
 */
export async function noteJobPart(
  on: Queryable,
  { subscriptionId, lease }: JobLease,
  { put, after, nowMs }: RedeliveredPart & { readonly nowMs: number },
): Promise<boolean> {
  const { rowCount } = await on.query({
    name: "replay-note",
    text: `update replay_job set deliveries = deliveries + $3, lanes = lanes + $4, busy_lanes = busy_lanes + $5,
                  after_dsid = coalesce($6, after_dsid), after_record_id = coalesce($7, after_record_id), lease = null,
                  next_at = $8::timestamptz, finished_at = case when $6::text is null then $8::timestamptz end
            where subscription_id = $1 and lease = $2`,
    values: [
      subscriptionId,
      lease,
      put.deliveries,
      put.lanes,
      put.busyLanes,
      after?.dsid,
      after?.recordId,
      new Date(nowMs),
    ],
  });
  return rowCount === 1;
}

/** Finds the last job of a subscription. */
export async function findJob(on: Queryable, subscriptionId: string): Promise<ReplayJob | undefined> {
  type Stored = Omit<ReplayJob, "since" | "startedAt" | "finishedAt"> &
    Readonly<Record<"since" | "finishedAt", Date | null>> & { readonly startedAt: Date };
  const { rows } = await on.query<Stored>({
    text: `select id, since, deliveries, lanes, busy_lanes as "busyLanes", started_at as "startedAt",
                  finished_at as "finishedAt" from replay_job where subscription_id = $1`,
    values: [subscriptionId],
  });
  return rows.map((row) => ({
    ...row,
    since: row.since?.toISOString() ?? null,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }))[0];
}
