/** Runs work of one key one after the other, and work of different keys side by side. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes turns by key, so that requests for the same thing wait for each other here, not in the database, where each would
 * hold a connection while it waits.
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
