import type { LocalRef } from "./pairs.ts";
import type { Queryable, StateDatabase } from "./state-database.ts";

/** A row that is out of step, leased to whoever claimed it. */
export interface Change extends LocalRef {
  readonly tail: number;
  readonly lease: string;
  /** The claims since it was last in step, this one included. */
  readonly attempts: number;
  /** The record is to be read and applied to the row, too. */
  readonly pull: boolean;
  /** eNames whose vaults get a reference to the record. */
  readonly participants: readonly string[];
  /** The row as `handleChange` was given it, for tables that cannot be read. */
  readonly snapshot: Readonly<Record<string, unknown>> | undefined;
}

/** What is to be noted about a changed row. */
export interface ChangeNote extends LocalRef {
  readonly nowMs: number;
  readonly participants?: readonly string[];
  readonly snapshot?: string;
  readonly pull?: boolean;
}

/** A row that could not be brought into step, and why. */
export interface ParkedChange extends LocalRef {
  readonly fault: string;
}

/** The lanes: one for each (table, local id). Many changes of a row become one, since the row is read when its turn comes. */
export interface Changes {
  readonly claim: (
    limit: number,
    times: { readonly nowMs: number; readonly leaseMs: number },
  ) => Promise<readonly Change[]>;
  /** Done up to the tail that was claimed; a newer one is due at once. Only for the holder of the lease. */
  readonly complete: (change: Change, nowMs: number) => Promise<void>;
  readonly fail: (change: Change, nextAtMs: number) => Promise<void>;
  /** Makes a change due later, without counting this attempt. */
  readonly postpone: (change: Change, nextAtMs: number) => Promise<void>;
  /** Sets a change aside until the row changes again or `retry` is called. */
  readonly park: (change: Change, fault: string) => Promise<void>;
  readonly parked: (limit: number) => Promise<readonly ParkedChange[]>;
  /** Makes parked changes due, all of them or one. Out: how many. */
  readonly retry: (nowMs: number, only?: LocalRef) => Promise<number>;
  /** Counts what is out of step, and what is parked. */
  readonly count: () => Promise<{ readonly waiting: number; readonly parked: number }>;
}

interface ChangeRow {
  readonly table_name: string;
  readonly local_id: string;
  readonly tail: number;
  readonly lease: string;
  readonly attempts: number;
  readonly pull: number;
  readonly participants: string | null;
  readonly snapshot: string | null;
}

const HELD = "table_name = $1 and local_id = $2 and lease = $3";

/** Notes that a row changed, in the transaction of that change. Refuses: the database's errors. Source: S3 outbound rules; decision A3. */
export async function noteChange({ query }: Queryable, note: ChangeNote): Promise<void> {
  const { table, localId, nowMs, participants, snapshot, pull = false } = note;
  await query({
    text: `insert into ds_change (table_name, local_id, tail, next_at, pull, participants, snapshot)
      values ($1, $2, 1, $3, $4, $5, $6)
      on conflict (table_name, local_id) do update set tail = ds_change.tail + 1, fault = null,
        next_at = case when ds_change.lease is null then excluded.next_at else ds_change.next_at end,
        attempts = case when ds_change.lease is null then 0 else ds_change.attempts end,
        pull = case when excluded.pull = 1 then 1 else ds_change.pull end,
        participants = coalesce(excluded.participants, ds_change.participants),
        snapshot = coalesce(excluded.snapshot, ds_change.snapshot)`,
    values: [table, localId, nowMs, Number(pull), participants ? JSON.stringify(participants) : null, snapshot ?? null],
  });
}

/** Opens the lanes. Refuses: the database's errors. */
export function createChanges({ query, dialect }: Pick<StateDatabase<unknown>, "query" | "dialect">): Changes {
  const skip = dialect === "postgres" ? "for update skip locked" : "";
  const settle = async (change: Change, set: string, values: readonly (string | number)[]): Promise<void> => {
    await query({ text: `update ds_change set ${set} where ${HELD}`, values: [...keyOf(change), ...values] });
  };
  return {
    claim: async (limit, { nowMs, leaseMs }) => {
      const rows = await query<ChangeRow>({
        text: `with due as materialized (
            select table_name, local_id from ds_change where next_at <= $3 order by next_at limit $4 ${skip})
          update ds_change set lease = $1, next_at = $2, attempts = attempts + 1
          where (table_name, local_id) in (select table_name, local_id from due)
          returning *`,
        values: [crypto.randomUUID(), nowMs + leaseMs, nowMs, limit],
      });
      return rows.map(toChange);
    },
    complete: async (change, nowMs) => {
      const text = `delete from ds_change where ${HELD} and tail = $4`;
      await query({ text, values: [...keyOf(change), change.tail] });
      await settle(change, "lease = null, attempts = 0, next_at = $4", [nowMs]);
    },
    fail: (change, nextAtMs) => settle(change, "lease = null, next_at = $4", [nextAtMs]),
    postpone: (change, nextAtMs) => settle(change, "lease = null, next_at = $4, attempts = attempts - 1", [nextAtMs]),
    park: async (change, fault) => {
      const set = "lease = null, fault = case when tail = $4 then $5 end, next_at = case when tail > $4 then 0.0 end";
      await settle(change, set, [change.tail, fault]);
    },
    parked: async (limit) => {
      const text =
        "select table_name, local_id, fault from ds_change where fault is not null order by table_name, local_id limit $1";
      const rows = await query<ChangeRow & { readonly fault: string }>({ text, values: [limit] });
      return rows.map((row) => ({ table: row.table_name, localId: row.local_id, fault: row.fault }));
    },
    retry: async (nowMs, only) => {
      const which = only === undefined ? "" : "and table_name = $2 and local_id = $3";
      const text = `update ds_change set fault = null, attempts = 0, next_at = $1 where fault is not null ${which} returning tail`;
      const values = only === undefined ? [nowMs] : [nowMs, only.table, only.localId];
      return (await query({ text, values })).length;
    },
    count: async () => {
      const text = `select cast(count(*) as integer) as waiting, cast(count(fault) as integer) as parked from ds_change`;
      const [row] = await query<{ readonly waiting: number; readonly parked: number }>({ text, values: [] });
      const { waiting = 0, parked = 0 } = row ?? {};
      return { waiting: waiting - parked, parked };
    },
  };
}

function keyOf({ table, localId, lease }: Change): readonly string[] {
  return [table, localId, lease];
}

function toChange(row: ChangeRow): Change {
  return {
    table: row.table_name,
    localId: row.local_id,
    tail: row.tail,
    lease: row.lease,
    attempts: row.attempts,
    pull: row.pull === 1,
    participants: row.participants === null ? [] : JSON.parse(row.participants),
    snapshot: row.snapshot === null ? undefined : JSON.parse(row.snapshot),
  };
}
