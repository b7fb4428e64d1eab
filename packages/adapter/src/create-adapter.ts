import type { WebhookReceiver } from "@dataspace/receiver/webhook-receiver";
import { createWebhook, type WebhookConfig } from "./inbound/webhook.ts";
import type { Mappings } from "./mapping/mapping.ts";
import { handleChange, type LocalChange } from "./outbound/handle-change.ts";
import { sendDue, startOutbound } from "./outbound/outbound-runner.ts";
import { createChanges, type ParkedChange } from "./state/changes.ts";
import type { LocalRef } from "./state/pairs.ts";
import type { Queryable, StateDatabase } from "./state/state-database.ts";
import { createStateTables } from "./state/state-tables.ts";
import { isInspection, toReadOnlyState, toReadOnlyVaults } from "./sync/inspection.ts";
import { createReportCounter, type Report, type ReportCounts } from "./sync/report.ts";
import type { Sync } from "./sync/sync.ts";
import type { Tables } from "./sync/table-access.ts";
import type { Vaults } from "./sync/vaults.ts";

/** What a platform gives its adapter. */
export interface AdapterConfig<Transaction> {
  readonly mappings: Mappings;
  /** Where the adapter keeps what it knows: the platform's own database. */
  readonly state: StateDatabase<Transaction>;
  readonly vaults: Vaults;
  /** How rows are read and written. A table that is not here only goes out, as `handleChange` was given it. */
  readonly tables?: Tables<Transaction>;
  readonly onReport?: (report: Report) => void;
  /** The time; the machine's own when it is absent. */
  readonly clock?: Sync<Transaction>["clock"];
}

/** How an adapter fares. */
export interface AdapterStatus {
  readonly waiting: number;
  readonly parked: number;
  readonly counts: ReportCounts;
}

/** A platform's adapter; it sends until it is disposed of, and then finishes what is under way. */
export interface Adapter<Transaction> extends AsyncDisposable {
  /** Notes a change of a row and returns. In: `on`, the change's own transaction, where there is one. */
  readonly handleChange: (change: LocalChange, on?: Queryable) => Promise<void>;
  /** Makes the handler of `POST /api/webhook`. */
  readonly createWebhook: (config: WebhookConfig) => WebhookReceiver;
  /** Sends what triggers noted, now rather than within a second. */
  readonly wake: () => void;
  readonly status: () => Promise<AdapterStatus>;
  /** The rows that cannot be synced as they are, at most `limit`. */
  readonly parked: (limit: number) => Promise<readonly ParkedChange[]>;
  /** Tries parked rows again, all or one. Out: how many. */
  readonly retry: (only?: LocalRef) => Promise<number>;
  /** Sends until nothing is due: for commands and tests. */
  readonly flush: () => Promise<void>;
  readonly sync: Sync<Transaction>;
}

const IDLE: Pick<ReturnType<typeof startOutbound>, "wake" | typeof Symbol.asyncDispose> = {
  wake: () => {},
  [Symbol.asyncDispose]: async () => {},
};

/**
 * Starts a platform's adapter. In a process that only inspects, it reads and nothing else.
 *
 * Refuses: the database's errors. Source: S3 "Platform adapter".
 */
export async function createAdapter<Transaction>(config: AdapterConfig<Transaction>): Promise<Adapter<Transaction>> {
  const { report, counts } = createReportCounter(config.onReport);
  const clock = config.clock ?? { nowMs: () => Date.now() };
  const { mappings, state: database, vaults, tables = {} } = config;
  const reads = isInspection();
  const sync: Sync<Transaction> = {
    ...{ mappings, tables, clock, report },
    database: reads ? toReadOnlyState(database) : database,
    vaults: reads ? toReadOnlyVaults(vaults) : vaults,
  };
  if (!reads) await createStateTables(database);
  const runner = reads ? IDLE : startOutbound(sync);
  const changes = createChanges(sync.database);
  return {
    handleChange: async (change, on = sync.database) => {
      if (await handleChange(sync, change, on)) runner.wake();
    },
    createWebhook: (webhook) => createWebhook(sync, webhook),
    wake: runner.wake,
    status: async () => ({ ...(await changes.count()), counts: counts() }),
    parked: changes.parked,
    retry: async (only) => {
      const retried = await changes.retry(clock.nowMs(), only);
      runner.wake();
      return retried;
    },
    flush: async () => {
      while (!reads && (await sendDue(sync)) > 0);
    },
    sync,
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
}
