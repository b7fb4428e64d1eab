import { type LaneRunner, startLaneRunner } from "@dataspace/lanes/lane-runner";
import type { Lane } from "@dataspace/lanes/lane";
import { RowFault } from "../mapping/row-fault.ts";
import { type Change, type Changes, createChanges } from "../state/changes.ts";
import type { Sync } from "../sync/sync.ts";
import { findRefusal } from "../sync/vaults.ts";
import { createOwnerTurns, OwnerBusy, type OwnerTurns } from "./owner-turns.ts";
import { sendChange } from "./send-change.ts";

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const AT_ONCE = 16;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** How long the other rows of an owner wait whose vault is slow. */
const BUSY_PAUSE_MS = 5_000;

type HeldChange = Lane<"table" | "localId"> & { readonly change: Change };

const SILENT = { info: () => {}, warn: () => {} };

/**
 * Starts sending changes: sixteen rows at once, one row never twice at once, each tried again with growing pauses until it is in step
 * or parked. One owner's rows take at most four of the sixteen places.
 *
 * Refuses: never. Source: S3 outbound rules; decision A3.
 */
export function startOutbound<Transaction>(sync: Sync<Transaction>): LaneRunner {
  const changes = createChanges(sync.database);
  const sending = { sync, changes, turns: createOwnerTurns(sync.clock) };
  return startLaneRunner<HeldChange>(
    {
      claim: async (limit) =>
        (await changes.claim(limit, { nowMs: sync.clock.nowMs(), leaseMs: LEASE_MS })).map(toHeld),
      work: async ({ lanes }) => {
        await Promise.all(lanes.map(({ change }) => sendOne(sending, change)));
        return true;
      },
      log: SILENT,
      monotonicMs: () => performance.now(),
    },
    { leaseMs: LEASE_MS, batchSize: 1, concurrency: AT_ONCE, pollMs: POLL_MS, gatherMs: () => 0 },
  );
}

/** Sends what is due now, once, and returns when it is done: for commands and tests. Out: how many rows. Refuses: the database's errors. */
export async function sendDue<Transaction>(sync: Sync<Transaction>): Promise<number> {
  const changes = createChanges(sync.database);
  const due = await changes.claim(AT_ONCE, { nowMs: sync.clock.nowMs(), leaseMs: LEASE_MS });
  const sending = { sync, changes, turns: createOwnerTurns(sync.clock) };
  await Promise.all(due.map((change) => sendOne(sending, change)));
  return due.length;
}

function toHeld(change: Change): HeldChange {
  const { table, localId, tail, lease, attempts } = change;
  return { key: { table, localId }, tailVersion: tail, doneVersion: 0, lease, attempts, change };
}

interface Sending<Transaction> {
  readonly sync: Sync<Transaction>;
  readonly changes: Changes;
  readonly turns: OwnerTurns;
}

async function sendOne<Transaction>({ sync, changes, turns }: Sending<Transaction>, change: Change): Promise<void> {
  const { table, localId } = change;
  try {
    await sendChange(sync, change, turns);
    await changes.complete(change, sync.clock.nowMs());
  } catch (error) {
    if (error instanceof OwnerBusy) return changes.postpone(change, sync.clock.nowMs() + BUSY_PAUSE_MS);
    const fault = findFault(error);
    if (fault === undefined) {
      sync.report({ kind: "retried", table, localId, error });
      const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(change.attempts - 1, 10));
      await changes.fail(change, sync.clock.nowMs() + pauseMs);
      return;
    }
    await changes.park(change, fault);
    sync.report({ kind: "parked", table, localId, fault });
  }
}

function findFault(error: unknown): string | undefined {
  if (error instanceof RowFault) return `${error.code}: ${error.message}`;
  const refusal = findRefusal(error);
  return refusal && `${refusal.code}: ${refusal.message}`;
}
