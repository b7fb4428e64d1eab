import { createGathering } from "@dataspace/lanes/gather";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/**
 * The recorded health of a subscription's endpoint.
 *
 * `failures` in a row and up to three of the lanes they were on; `openedAtMs`, `probeAtMs` and `failedProbes` while it
 * is open; `inFlightLimit` while it is half open, otherwise null. Times are milliseconds since the epoch (UTC).
 */
export interface Circuit {
  readonly failures: number;
  readonly failedLanes: readonly string[];
  readonly openedAtMs: number | null;
  readonly probeAtMs: number | null;
  readonly failedProbes: number;
  readonly inFlightLimit: number | null;
}

/** The circuits of subscriptions. */
export interface CircuitRows {
  /** Changes a circuit, one change at a time, and returns the result; undefined for a subscription that is gone. */
  readonly change: (subscriptionId: string, decide: Decide) => Promise<Circuit | undefined>;
}

type Decide = (circuit: Circuit) => Circuit;

interface Change {
  readonly subscriptionId: string;
  readonly decide: Decide;
}

/** A single change cannot be at fault: an error is one of the database, and ends the transaction of them all. */
const TOGETHER = { most: 128, gatherMs: 1, isPerItemError: () => false };

/**
 * Makes the store of circuits on a migrated database. Changes that arrive together are made in one transaction. So the
 * many attempts of a hanging endpoint, which end at the same time, use one connection and not all of them.
 *
 * Refuses: never by itself. Source: decision E2.
 */
export function createCircuitRows(database: Database): CircuitRows {
  const change = createGathering(
    (changes: readonly Change[]) => database.transaction((transaction) => changeAll(transaction, changes)),
    TOGETHER,
  );
  return { change: (subscriptionId, decide) => change({ subscriptionId, decide }) };
}

async function changeAll(
  transaction: Queryable,
  changes: readonly Change[],
): Promise<readonly (Circuit | undefined)[]> {
  const before = await lock(transaction, [...new Set(changes.map(({ subscriptionId }) => subscriptionId))]);
  const after = new Map(before);
  const results = changes.map(({ subscriptionId, decide }) => {
    const circuit = after.get(subscriptionId);
    if (circuit === undefined) return undefined;
    const changed = decide(circuit);
    after.set(subscriptionId, changed);
    return changed;
  });
  const changed = [...after].filter(([id, circuit]) => circuit !== before.get(id));
  await Promise.all(changed.map(([id, circuit]) => write(transaction, id, circuit)));
  return results;
}

async function lock(transaction: Queryable, subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, Circuit>> {
  const { rows } = await transaction.query<LockedRow>({
    name: "circuit-lock",
    text: `select id, failures, failed_lanes as "failedLanes", opened_at as "openedAt", probe_at as "probeAt",
                  failed_probes as "failedProbes", in_flight_limit as "inFlightLimit"
             from subscription where id = any($1::uuid[]) order by id for update`,
    values: [subscriptionIds],
  });
  const toCircuit = ({ id, openedAt, probeAt, ...row }: LockedRow): [string, Circuit] => [
    id,
    { ...row, openedAtMs: openedAt?.getTime() ?? null, probeAtMs: probeAt?.getTime() ?? null },
  ];
  return new Map(rows.map(toCircuit));
}

interface LockedRow extends Omit<Circuit, "openedAtMs" | "probeAtMs"> {
  readonly id: string;
  readonly openedAt: Date | null;
  readonly probeAt: Date | null;
}

async function write(transaction: Queryable, subscriptionId: string, circuit: Circuit): Promise<void> {
  await transaction.query({
    name: "circuit-write",
    text: `update subscription set failures = $2, failed_lanes = $3, opened_at = $4, probe_at = $5, failed_probes = $6,
                  in_flight_limit = $7
           where id = $1`,
    values: [
      subscriptionId,
      circuit.failures,
      circuit.failedLanes,
      toDate(circuit.openedAtMs),
      toDate(circuit.probeAtMs),
      circuit.failedProbes,
      circuit.inFlightLimit,
    ],
  });
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
