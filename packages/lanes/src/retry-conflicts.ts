import { setTimeout as wait } from "node:timers/promises";

/** serialization_failure and deadlock_detected: the statement did nothing and may be tried again. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MOST_TRIES = 5;
const STEP_MS = 20;

/**
 * Runs a statement by itself, and again when it fell to a deadlock or a serialization failure, at most five times.
 *
 * Not for a statement inside a longer transaction, which such a failure ends as a whole. Refuses: the last error. Source: decision E1.
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
