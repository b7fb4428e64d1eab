import type { Lane, LaneClock, LaneDatabase, LaneKey, LaneTable } from "./lane.ts";
import { createLaneStatements, type LaneStatements, type NamedStatement } from "./lane-statements.ts";
import { retryConflicts } from "./retry-conflicts.ts";

/** How many lanes to claim, and for how long. */
export interface ClaimRequest {
  readonly limit: number;
  readonly leaseMs: number;
}

/**
 * Data for the further statements of a settled lane: `details`, of any JSON shape, and bytes that are too long for it.
 */
export interface LaneEnclosure {
  readonly details?: unknown;
  readonly attachment?: Uint8Array | undefined;
}

/** A claimed lane that is done up to `version`. */
export interface LaneCompletion<Column extends string> extends LaneEnclosure {
  readonly lane: Lane<Column>;
  readonly version: number;
}

/** A completed lane, and whether it is already due again because it has a newer tail. */
export interface CompletedLane<Column extends string> {
  readonly key: LaneKey<Column>;
  readonly isDue: boolean;
}

/** A claimed lane whose attempt failed, and when it is due again. */
export interface LaneFailure<Column extends string> extends LaneEnclosure {
  readonly lane: Lane<Column>;
  readonly nextAtMs: number;
}

/**
 * The four operations on a table of lanes, each one statement and so one transaction.
 *
 * `also` are further data-modifying statements in the same transaction, each under a unique name. Each reads `held`,
 * which has one row for every lane whose lease is still the caller's. Its columns are those of the key, `version` (int,
 * null at a failure), `details` (jsonb) and `attachment` (bytea, empty where there is none). `$1` is the current time
 * (write `$1::timestamptz`). Complete, fail and release return the lanes that were still the caller's. Lanes whose
 * lease was lost are left unchanged, and `also` does nothing for them.
 */
export interface Lanes<Column extends string> {
  /** Claims due lanes, longest due first, until the lease ends; skips lanes that others are claiming. */
  readonly claim: (request: ClaimRequest) => Promise<readonly Lane<Column>[]>;
  /**
   * Advances lanes; a lane with a newer tail is due again at once, with no attempt counted. Each lane at most once per
   * call.
   */
  readonly complete: (
    completions: readonly LaneCompletion<Column>[],
    also?: readonly NamedStatement[],
  ) => Promise<readonly CompletedLane<Column>[]>;
  /** Releases lanes until their next attempt; the attempt stays counted. */
  readonly fail: (
    failures: readonly LaneFailure<Column>[],
    also?: readonly NamedStatement[],
  ) => Promise<readonly LaneKey<Column>[]>;
  /** Releases lanes that were not tried, due again at once or at a given time; the attempt is not counted. */
  readonly release: (lanes: readonly Lane<Column>[], nextAtMs?: number) => Promise<readonly LaneKey<Column>[]>;
}

interface LanesDeps {
  readonly database: LaneDatabase;
  readonly clock: LaneClock;
}

/**
 * Opens a table of lanes.
 *
 * Retries after deadlocks and serialization failures. Refuses: the database's other errors.
 * Source: S1 "Delivery rules" (order per subscription and MetaEnvelope); decision E1.
 */
export function createLanes<Column extends string>(
  { database, clock }: LanesDeps,
  table: LaneTable<Column>,
): Lanes<Column> {
  const statements = createLaneStatements(table);
  const now = () => toIso(clock.nowMs());
  return {
    claim: (request) => claim({ database, clock }, { table, statements, request }),
    complete: (completions, also = []) => {
      const settled = completions.map((completion) => ({ ...completion, nextAt: null }));
      return settle(database, statements.complete(also), { table, at: now(), settled });
    },
    fail: async (failures, also = []) => {
      const settled = failures.map(({ nextAtMs, ...failure }) => toFailed(failure, nextAtMs));
      return toKeys(await settle(database, statements.fail(also), { table, at: now(), settled }));
    },
    release: async (lanes, nextAtMs = clock.nowMs()) => {
      const settled = lanes.map((lane) => toFailed({ lane }, nextAtMs));
      return toKeys(await settle(database, statements.release, { table, at: now(), settled }));
    },
  };
}

interface Claim<Column extends string> {
  readonly table: LaneTable<Column>;
  readonly statements: LaneStatements;
  readonly request: ClaimRequest;
}

interface LaneRow {
  readonly tail_version: number;
  readonly done_version: number;
  readonly lease: string;
  readonly attempts: number;
}

async function claim<Column extends string>(
  { database, clock }: LanesDeps,
  { table, statements, request: { limit, leaseMs } }: Claim<Column>,
): Promise<readonly Lane<Column>[]> {
  const nowMs = clock.nowMs();
  const values = [toIso(nowMs), limit, toIso(nowMs + leaseMs), crypto.randomUUID()];
  const statement = { ...statements.claim, values };
  const { rows } = await retryConflicts(() => database.query<LaneRow & LaneKey<Column>>(statement));
  return rows.map((row) => ({
    key: readKey(table, row),
    tailVersion: row.tail_version,
    doneVersion: row.done_version,
    lease: row.lease,
    attempts: row.attempts,
  }));
}

interface Settled<Column extends string> extends LaneEnclosure {
  readonly lane: Lane<Column>;
  readonly version: number | null;
  readonly nextAt: string | null;
}

function toFailed<Column extends string>(
  failure: LaneEnclosure & { readonly lane: Lane<Column> },
  nextAtMs: number,
): Settled<Column> {
  return { ...failure, version: null, nextAt: toIso(nextAtMs) };
}

interface Settlement<Column extends string> {
  readonly table: LaneTable<Column>;
  readonly at: string;
  readonly settled: readonly Settled<Column>[];
}

async function settle<Column extends string>(
  database: LaneDatabase,
  statement: NamedStatement,
  { table, at, settled }: Settlement<Column>,
): Promise<readonly CompletedLane<Column>[]> {
  if (settled.length === 0) return [];
  const keys = table.key.map(({ name }) => settled.map(({ lane }) => lane.key[name]));
  const values = [
    at,
    ...keys,
    settled.map(({ lane }) => lane.lease),
    settled.map(({ version }) => version),
    settled.map(({ nextAt }) => nextAt),
    settled.map(({ details }) => JSON.stringify(details ?? null)),
    ...joinAttachments(settled),
  ];
  const { rows } = await retryConflicts(() => database.query<SettledRow & LaneKey<Column>>({ ...statement, values }));
  return rows.map((row) => ({ key: readKey(table, row), isDue: row.is_due }));
}

/** All attachments in one value, which is sent unchanged, and before it the offset (from 1) and length of each. */
function joinAttachments(settled: readonly LaneEnclosure[]): readonly [number[], number[], Buffer] {
  const attachments = settled.map(({ attachment }) => attachment ?? new Uint8Array());
  const lengths = attachments.map(({ length }) => length);
  let next = 1;
  const beginnings = lengths.map((length) => {
    next += length;
    return next - length;
  });
  return [beginnings, lengths, Buffer.concat(attachments)];
}

interface SettledRow {
  readonly is_due: boolean;
}

function toKeys<Column extends string>(lanes: readonly CompletedLane<Column>[]): readonly LaneKey<Column>[] {
  return lanes.map(({ key }) => key);
}

function readKey<Column extends string>(table: LaneTable<Column>, row: LaneKey<Column>): LaneKey<Column> {
  return Object.fromEntries(table.key.map(({ name }) => [name, row[name]])) as LaneKey<Column>;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
