/** Runs work of one key one after the other, and work of different keys concurrently. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes a queue per key. Requests for the same thing wait here, not in the database, where each would hold a connection
 * while it waits.
 *
 * Refuses: never; the work's own errors reach only its own caller. Source: decisions V17, V20.
 */
export function createInTurn(): InTurn {
  const lastByKey = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = lastByKey.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    lastByKey.set(key, turn);
    try {
      return await turn;
    } finally {
      if (lastByKey.get(key) === turn) lastByKey.delete(key);
    }
  };
}
