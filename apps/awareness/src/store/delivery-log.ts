import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** One attempt as its consumer sees it. */
export interface LoggedAttempt {
  readonly id: string;
  readonly eventId: string;
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** One event that was given up. */
export interface DeadLetter {
  readonly eventId: string;
  readonly dsid: string;
  readonly id: string;
  readonly schemaId: string;
  readonly streamVersion: number;
  readonly reason: string | null;
  readonly diedAt: string;
}

/** A dead letter with the newest known version of its record. */
export interface ListedDeadLetter extends DeadLetter {
  readonly newestVersion: number;
}

/** A page of a subscription's log: at most `first`, after the entry `after`, and of one event where one is given. */
export interface LogPage {
  readonly subscriptionId: string;
  readonly first: number;
  readonly after?: string | undefined;
  readonly eventId?: string | undefined;
}

/** Lists attempts, newest first. In: `after`, the id of an attempt. Refuses: never. Source: decision E7. */
export async function listAttempts(database: Queryable, page: LogPage): Promise<readonly LoggedAttempt[]> {
  const { rows } = await database.query<Omit<LoggedAttempt, "startedAt"> & { readonly startedAt: Date }>({
    text: `select id, event_id as "eventId", number, started_at as "startedAt", duration_ms as "durationMs", status, error, answer
             from attempt
            where subscription_id = $1 and ($2::uuid is null or id < $2::uuid) and ($3::uuid is null or event_id = $3::uuid)
            order by id desc limit $4`,
    values: [page.subscriptionId, page.after, page.eventId, page.first],
  });
  return rows.map((row) => ({ ...row, startedAt: row.startedAt.toISOString() }));
}

/**
 * Lists dead letters by the time when they were given up, latest first. In: `after`, the eventId of one. Refuses:
 * never. Source: decision E7.
 */
export async function listDeadLetters(database: Queryable, page: LogPage): Promise<readonly ListedDeadLetter[]> {
  const { rows } = await database.query<Omit<ListedDeadLetter, "diedAt"> & { readonly diedAt: Date }>({
    text: `select d.event_id as "eventId", d.dsid, d.record_id as id, e.schema_id as "schemaId",
                  d.stream_version as "streamVersion", d.reason, d.died_at as "diedAt", h.last_version as "newestVersion"
             from delivery d join event e on e.event_id = d.event_id
             join stream_head h on h.dsid = d.dsid and h.record_id = d.record_id
            where d.subscription_id = $1 and d.died_at is not null
              and ($2::uuid is null or (d.died_at, d.event_id) < (
                select died_at, event_id from delivery where subscription_id = $1 and event_id = $2::uuid))
              and ($3::uuid is null or d.event_id = $3::uuid)
            order by d.died_at desc, d.event_id desc limit $4`,
    values: [page.subscriptionId, page.after, page.eventId, page.first],
  });
  return rows.map((row) => ({ ...row, diedAt: row.diedAt.toISOString() }));
}
