import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/**
 * What is known of the health of a subscription's endpoint.
 *
 * `failures` in a row and up to three of the lanes they were on; `openedAtMs`, `probeAtMs` and `failedProbes` while it is open;
 * `inFlightLimit` while it is half open, otherwise null. Times are milliseconds since the epoch (UTC).
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
  /** Changes a circuit, one change at a time, and gives what it became; undefined for a subscription that is gone. */
  readonly change: (subscriptionId: string, decide: (circuit: Circuit) => Circuit) => Promise<Circuit | undefined>;
}

/** Makes the store of circuits over a database whose migrations have run. Refuses: never by itself. Source: decision E2. */
export function createCircuitRows(database: Database): CircuitRows {
  return {
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

async function lock(transaction: Queryable, subscriptionId: string): Promise<Circuit | undefined> {
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

interface LockedRow extends Omit<Circuit, "openedAtMs" | "probeAtMs"> {
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
