import type { Clock } from "@dataspace/service-kit/clock";
import { createBoundedStore } from "../bounded-store.ts";
import type { ClientRows, LoginClient } from "./client-rows.ts";

/** The clients that requests of the protocol name, in memory. `lastUsedAt` is as old as the entry. */
export interface ClientCache {
  readonly find: (clientId: string) => Promise<LoginClient | undefined>;
  /** Drops a client. Call it after each write, also after one that may have failed. */
  readonly forget: (clientId: string) => void;
  readonly sweep: () => void;
}

const MOST_CLIENTS = 2_000;
/** One instance runs, so only a change by hand in the database waits for it. */
const LIFETIME_MS = 30_000;

/**
 * Makes the cache. Concurrent searches for a client share one query. A client that does not exist is not cached. A query that
 * began before `forget` is not cached either, since it may have read the old row.
 *
 * Refuses: what `rows` refuses. Source: S2 "Operation" (one instance).
 */
export function createClientCache({
  clock,
  rows,
}: {
  readonly clock: Clock;
  readonly rows: Pick<ClientRows, "find">;
}): ClientCache {
  const cached = createBoundedStore<LoginClient>({ clock }, { most: MOST_CLIENTS });
  const searches = new Map<string, Promise<LoginClient | undefined>>();
  const search = (clientId: string): Promise<LoginClient | undefined> => {
    const isCurrent = (): boolean => searches.get(clientId) === running;
    const running = rows
      .find(clientId)
      .then((client) => {
        if (client !== undefined && isCurrent()) cached.set(clientId, client, LIFETIME_MS);
        return client;
      })
      .finally(() => {
        if (isCurrent()) searches.delete(clientId);
      });
    searches.set(clientId, running);
    return running;
  };
  return {
    find: async (clientId) => cached.get(clientId) ?? searches.get(clientId) ?? search(clientId),
    forget: (clientId) => {
      cached.delete(clientId);
      searches.delete(clientId);
    },
    sweep: cached.sweep,
  };
}
