import type { Database, Queryable } from "@dataspace/service-kit/database";

/** What is known of an endpoint's health, as `endpoint-circuit` decides it. Times are milliseconds since the epoch (UTC). */
export interface CircuitRow {
  readonly failures: number;
  readonly failedLanes: readonly string[];
  readonly openedAtMs: number | null;
  readonly probeAtMs: number | null;
  readonly failedProbes: number;
  readonly inFlightLimit: number | null;
}

/** The circuits of subscriptions. */
export interface CircuitRows {
  /** Whether anything is noted against the endpoint. */
  readonly isTroubled: (subscriptionId: string) => Promise<boolean>;
  /** Changes a circuit, one change at a time, and gives what it became; undefined for a subscription that is gone. */
  readonly change: (
    subscriptionId: string,
    decide: (circuit: CircuitRow) => CircuitRow,
  ) => Promise<CircuitRow | undefined>;
}

/** Makes the store of circuits over a database whose migrations have run. Refuses: never by itself. Source: decision E2. */
export function createCircuitRows(database: Database): CircuitRows {
  return {
    isTroubled: async (subscriptionId) => {
      const { rows } = await database.query({
        name: "circuit-is-troubled",
        text: `select from subscription
               where id = $1 and (failures > 0 or opened_at is not null or in_flight_limit is not null)`,
        values: [subscriptionId],
      });
      return rows.length > 0;
    },
    change: (subscriptionId, decide) =>
      database.transaction(async (transaction) => {
        const before = await lock(transaction, subscriptionId);
        if (before === undefined) return undefined;
        const after = decide(before);
        if (after !== before) await write(transaction, subscriptionId, after);
        return after;
      }),
  };
}

async function lock(transaction: Queryable, subscriptionId: string): Promise<CircuitRow | undefined> {
  const { rows } = await transaction.query<LockedRow>({
    name: "circuit-lock",
    text: `select failures, failed_lanes as "failedLanes", opened_at as "openedAt", probe_at as "probeAt",
                  failed_probes as "failedProbes", in_flight_limit as "inFlightLimit"
             from subscription where id = $1 for update`,
    values: [subscriptionId],
  });
  return rows.map(({ openedAt, probeAt, ...row }) => ({
    ...row,
    openedAtMs: openedAt?.getTime() ?? null,
    probeAtMs: probeAt?.getTime() ?? null,
  }))[0];
}

interface LockedRow extends Omit<CircuitRow, "openedAtMs" | "probeAtMs"> {
  readonly openedAt: Date | null;
  readonly probeAt: Date | null;
}

async function write(transaction: Queryable, subscriptionId: string, circuit: CircuitRow): Promise<void> {
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
