import { setTimeout as wait } from "node:timers/promises";

/** serialization_failure and deadlock_detected: the statement had no effect and may be retried. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MOST_TRIES = 5;
const STEP_MS = 20;

/**
 * Runs a standalone statement, and retries it after a deadlock or a serialization failure, at most five times in all.
 *
 * Not for a statement inside a longer transaction, because such a failure ends the whole transaction. Refuses: the last
 * error. Source: decision E1.
 */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === undefined || !CONFLICTS.has(code) || tries === MOST_TRIES) throw error;
      await wait(Math.random() * STEP_MS * tries);
    }
  }
}
