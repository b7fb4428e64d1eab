import pLimit, { type LimitFunction } from "p-limit";
import { untilAborted } from "./client-clock.ts";
import { VaultError } from "./vault-error.ts";

/** Runs work when a place is free. Refuses: TOO_MANY_CALLS; the reason of `signal`, also while it waits. */
export type TakeTurn = <Value>(work: () => Promise<Value>, signal: AbortSignal | undefined) => Promise<Value>;

/** How many calls may wait for one vault. Each holds its arguments in memory. */
const MOST_WAITING = 50_000;

/** Makes the turns at one vault: `atOnce` calls run, the others wait in order. Refuses: a TypeError for fewer than 1. */
export function createTurns(atOnce: number): TakeTurn {
  const limit: LimitFunction = pLimit(atOnce);
  return (work, signal) => {
    if (limit.pendingCount >= MOST_WAITING) {
      const message = `${MOST_WAITING} calls wait for this vault already. Wait for some of them to end.`;
      return Promise.reject(new VaultError("TOO_MANY_CALLS", message));
    }
    const run = async () => {
      signal?.throwIfAborted();
      return work();
    };
    return untilAborted(limit(run), signal);
  };
}
